"""The corpus is what it says: the same by seed, varied, readable where it claims to be."""

from __future__ import annotations

import time
from itertools import product
from pathlib import Path

import pytest

from hermes.errors import CorruptData
from hermes.library.skillmd import parse
from hermes.rules.names import check_skill_name
from hermes.testing.skill_corpus import BROKEN, CLEAN, QUIRKY, CorpusReport, write_corpus
from hermes.testing.skill_words import SETTINGS, TRADES


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, CorpusReport]:
    root = tmp_path_factory.mktemp("corpus")
    return root, write_corpus(root, 2_000, seed=7)


def test_each_skill_is_as_readable_as_it_claims(corpus: tuple[Path, CorpusReport]) -> None:
    root, report = corpus
    for skill in report.skills:
        data = (root / skill.name / skill.file).read_bytes()
        try:
            document = parse(data, where=f"{skill.name}/{skill.file}", folder=skill.name)
        except CorruptData:
            assert not skill.readable, skill
            continue
        assert skill.readable, skill
        assert (skill.kind in CLEAN) == (document.warnings == ()), (skill, document.warnings)
        assert document.name == (skill.name if skill.kind != "other_name" else skill.name.title())
        assert "# " in document.body


def test_the_counts_add_up(corpus: tuple[Path, CorpusReport]) -> None:
    root, report = corpus
    assert report.readable + report.broken == 2_000 == sum(report.kinds.values())
    assert 0.02 < report.broken / 2_000 < 0.08
    assert set(report.kinds) == {*CLEAN, *QUIRKY, *BROKEN}
    assert len(list(root.iterdir())) == 2_000
    assert len({skill.category for skill in report.skills}) == 10


def test_names_are_ones_we_could_have_given(corpus: tuple[Path, CorpusReport]) -> None:
    _, report = corpus
    assert all(check_skill_name(skill.name) == [] for skill in report.skills)


def test_every_combination_has_a_name_of_its_own() -> None:
    shapes = {(len(t.verbs), len(t.things), len(t.tools)) for t in TRADES}
    assert len(shapes) == 1
    names = {
        f"{verb} {thing} {tool} {setting}"
        for trade in TRADES
        for verb, thing, tool, setting in product(trade.verbs, trade.things, trade.tools, SETTINGS)
    }
    assert len(names) > 30_000
    assert max(map(len, names)) <= 62, "room for a number behind it"


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    def files(root: Path) -> dict[str, bytes]:
        return {
            str(path.relative_to(root)): path.read_bytes()
            for path in root.rglob("*")
            if path.is_file()
        }

    first = write_corpus(tmp_path / "a", 60, seed=1)
    second = write_corpus(tmp_path / "b", 60, seed=1)
    other = write_corpus(tmp_path / "c", 60, seed=2)
    assert first == second != other
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert any("scripts" in path for path in files(tmp_path / "a"))


@pytest.mark.soak
def test_ten_thousand_are_written_and_read_in_seconds(tmp_path: Path) -> None:
    started = time.process_time()
    report = write_corpus(tmp_path, 10_000, seed=3)
    assert time.process_time() - started < 10
    texts = [(tmp_path / skill.name / skill.file).read_bytes() for skill in report.skills]
    started = time.process_time()
    readable = 0
    for data in texts:
        try:
            parse(data)
        except CorruptData:
            continue
        readable += 1
    assert time.process_time() - started < 3
    assert readable == report.readable
