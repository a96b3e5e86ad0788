"""`hermes memory list` and `show`: look through what is remembered."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ATTACK, Shell


def kept(shell: Shell, text: str, *words: str) -> str:
    return str(shell("memory", "add", text, *words, "--json").json["memory"]["id"])


def test_the_newest_come_first_and_by_pages(shell: Shell) -> None:
    ids = [kept(shell, f"the release {name} has its own branch") for name in ("ash", "elm", "oak")]
    first = shell("memory", "list", "--limit", "2", "--json").json
    assert [one["id"] for one in first["items"]] == [ids[2], ids[1]]
    assert first["next"] == ids[1]
    rest = shell("memory", "list", "--before", first["next"], "--json").json
    assert ([one["id"] for one in rest["items"]], rest["next"]) == ([ids[0]], None)
    told = shell("memory", "list", "--limit", "2")
    assert f"--before {ids[1]}" in told.err
    assert [row[0] for row in told.rows] == [ids[2], ids[1]]


def test_kinds_and_states_are_asked_for(shell: Shell) -> None:
    old = kept(shell, "the staging database listens on port 5433")
    new = kept(shell, "the staging database listens on port 6000")
    episode = kept(shell, "yesterday the nightly build of till broke", "--kind", "episodic")
    by_kind = shell("memory", "list", "--kind", "episodic", "--json").json["items"]
    assert [one["id"] for one in by_kind] == [episode]
    live = [one["id"] for one in shell("memory", "list", "--json").json["items"]]
    assert live == [episode, new]
    (replaced,) = shell("memory", "list", "--superseded", "--json").json["items"]
    assert replaced["id"] == old
    assert shell("memory", "list", "--waiting").out == "nothing waits for approval\n"
    assert shell("memory", "list", "--waiting", "--superseded").code == 2


def test_what_belongs_to_another_project_is_not_shown(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("till", "cellar"):
        (tmp_path / name / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "till")
    mine = kept(shell, "receipts are printed on the blue printer", "--scope", "project")
    assert [one["id"] for one in shell("memory", "list", "--json").json["items"]] == [mine]
    monkeypatch.chdir(tmp_path / "cellar")
    assert shell("memory", "list", "--json").json["items"] == []
    assert shell("memory", "list", "--scope", "project:till", "--json").json["items"]


def test_one_is_shown_by_the_beginning_of_its_id(shell: Shell) -> None:
    old = kept(shell, "the staging database listens on port 5433")
    new = kept(shell, "the staging database listens on port 6000")
    told = shell("memory", "show", new[:-1])
    assert told.code == 0
    assert f"supersedes     {old}" in told.out
    assert shell("memory", "show", old.removeprefix("mem_"), "--json").json["memory"]["id"] == old
    unclear = shell("memory", "show", "mem_0")
    assert unclear.code == 1
    assert old in unclear.err
    assert new in unclear.err
    for nothing in ("mem_zzz", "zzz", "mem_", "", "a\udcffb", "ca\x00fe"):
        assert shell("memory", "show", nothing).code == 1


def test_a_text_cannot_command_the_terminal(shell: Shell) -> None:
    one = kept(shell, f"the banner says {ATTACK}")
    for words in (("list",), ("show", one), ("list", "--json"), ("export", "-")):
        answer = shell("memory", *words)
        assert answer.code == 0
        assert "\x1b" not in answer.out
        assert "\u202e" not in answer.out


COLD = """
import sys
from hermes.cli.main import main
code = main(sys.argv[1:])
heavy = sorted({"numpy", "onnxruntime", "tokenizers", "usearch"} & set(sys.modules))
sys.exit(f"{code} {heavy}" if code or heavy else 0)
"""


def test_nothing_heavy_is_loaded_by_what_needs_no_meaning(shell: Shell, tmp_path: Path) -> None:
    first = kept(shell, "the staging database listens on port 5433")
    second = kept(shell, "receipts are printed on the blue printer")
    (tmp_path / "one.jsonl").write_text('{"text": "the cellar door sticks in winter"}\n')
    for words in (
        ("list",),
        ("show", first),
        ("add", "the build server is called anvil"),
        ("export", "-"),
        ("import", str(tmp_path / "one.jsonl")),
        ("forget", second, "--by", "ana"),
        ("stats",),
    ):
        run = [sys.executable, "-c", COLD, "--home", str(shell.root), "memory", *words]
        result = subprocess.run(run, capture_output=True, text=True, check=False)
        assert result.returncode == 0, (words, result.stderr)
