"""The programs of the skills that fit: each version is read once, and words are not read at all."""

from __future__ import annotations

import json

import pytest

from hermes.app import Home
from hermes.app.skill_running import Programs
from hermes.records.folder import FileContent, Folder
from hermes.records.version import Version
from hermes.rules.procedures import PROCEDURE_FILE
from hermes.store.tables.version import VersionTable
from hermes.testing import samples
from hermes.testing.homes import skill_text

PROCEDURE = {
    "name": "tidy-csv",
    "description": "d",
    "intent": "i",
    "code_template": "print(1)\n",
    "dependencies": ["attrs==25.1.0"],
}
WORDS = {"SKILL.md": skill_text("tidy-csv")}


class CountedVersions(VersionTable):
    """Counts how often the bytes of a version are read."""

    read = 0

    def folder(self, version: Version) -> Folder:
        self.read += 1
        return super().folder(version)


@pytest.fixture
def versions(home: Home) -> CountedVersions:
    return CountedVersions(home.database)


def stored(home: Home, files: dict[str, str]) -> str:
    skill = samples.skill()
    home.ledger.skills.add(skill)
    folder = Folder({path: FileContent(text.encode()) for path, text in files.items()})
    version = samples.version(skill.id, tree=folder.tree(), files=folder.entries())
    home.ledger.versions.add(version, folder.contents())
    return version.id


def test_a_program_is_read_once(home: Home, versions: CountedVersions) -> None:
    version_id = stored(home, {**WORDS, PROCEDURE_FILE: json.dumps(PROCEDURE)})
    programs = Programs(versions)
    program = programs.of(version_id)
    assert program is not None
    assert program.procedure.code_template == "print(1)\n"
    assert program.requirements == ("attrs==25.1.0",)
    assert programs.of(version_id) is program
    assert versions.read == 1


def test_words_are_not_read_to_find_that_they_are_words(
    home: Home, versions: CountedVersions
) -> None:
    assert Programs(versions).of(stored(home, WORDS)) is None
    assert versions.read == 0


@pytest.mark.parametrize("procedure", ["{", json.dumps({**PROCEDURE, "code_template": None})])
def test_what_cannot_be_run_is_no_program(home: Home, procedure: str) -> None:
    version_id = stored(home, {**WORDS, PROCEDURE_FILE: procedure})
    assert Programs(home.ledger.versions).of(version_id) is None


def test_a_version_that_is_gone_has_none(home: Home) -> None:
    assert Programs(home.ledger.versions).of("ver_nothing") is None
