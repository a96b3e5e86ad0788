"""A skill's row says what its live version can do, and goes back with it."""

from __future__ import annotations

import json

import pytest

from hermes.app import Home
from hermes.records.candidate import Action
from hermes.records.codec import dump
from hermes.records.folder import FileContent, Folder
from hermes.records.origin import Origin
from hermes.records.procedure import Lesson, Procedure, Support
from hermes.records.proposal import Outcome, Proposal
from hermes.records.scope import PERSONAL
from hermes.records.skill import Parameter, Skill
from hermes.records.version import VersionState
from hermes.testing.homes import Place, person, skill_text

NAME = "tidy-csv"


def procedure(version: int) -> Procedure:
    return Procedure(
        name=NAME,
        description="Tidies.",
        intent="tidy",
        trigger_conditions=(f"trigger {version}",),
        parameters=(Parameter(name=f"p{version}", type="text", observed=("a",)),),
        test_parameters={f"p{version}": "a"},
        code_template=f"p{version} = {{p{version}}}\nprint(p{version})\n",
        dependencies=(),
        pitfalls=(
            Lesson(text=f"pit {version}", remedy="climb", support=Support(examples=1, of=1)),
        ),
    )


def folder(made: Procedure | None, note: str = "") -> Folder:
    files = {"SKILL.md": FileContent(skill_text(NAME, body=note).encode())}
    if made is not None:
        files["references/procedure.json"] = FileContent(json.dumps(dump(made)).encode())
    return Folder(files)


def release(home: Home, content: Folder) -> Outcome:
    known = home.ledger.skills.named(NAME, PERSONAL)
    outcome = home.loop.propose(
        Proposal(
            name=NAME,
            folder=content,
            action=Action.EDIT if known else Action.CREATE,
            origin=Origin.REQUESTED_BY_USER,
            author="agent",
            summary="said so",
            parent_version_id=known.active_version_id if known else None,
        )
    )
    assert outcome.state is VersionState.ACTIVE, outcome.reason
    return outcome


def row(home: Home) -> Skill:
    found = home.ledger.skills.named(NAME, PERSONAL)
    assert found is not None
    return found


def says(skill: Skill, version: int | None) -> bool:
    made = procedure(version) if version else None
    return (
        skill.code_template == (made.code_template if made else None)
        and skill.parameters == (made.parameters if made else ())
        and skill.test_parameters == (made.test_parameters if made else {})
        and skill.trigger_conditions == (made.trigger_conditions if made else ())
        and skill.pitfalls == ((f"pit {version}: climb",) if version else ())
    )


def test_the_row_follows_the_live_version_also_backwards(home: Home) -> None:
    release(home, folder(None))
    assert says(row(home), None)
    release(home, folder(procedure(1)))
    assert says(row(home), 1)
    release(home, folder(procedure(2)))
    assert says(row(home), 2)
    home.loop.rollback(NAME, person())
    assert says(row(home), 1)
    home.loop.rollback(NAME, person())
    assert says(row(home), None)


def test_an_edit_on_disk_is_followed_too(home: Home, place: Place) -> None:
    release(home, folder(procedure(1)))
    file = place.skills / NAME / "references" / "procedure.json"
    file.write_text(json.dumps(dump(procedure(2))))
    home.reader.look()
    assert says(row(home), 2)
    file.unlink()
    home.reader.look()
    assert says(row(home), None)


def test_a_damaged_procedure_on_disk_is_told_and_the_last_good_one_stays(
    home: Home, place: Place
) -> None:
    release(home, folder(procedure(1)))
    broken = {**dump(procedure(2)), "outputs": "out.csv"}
    (place.skills / NAME / "references" / "procedure.json").write_text(json.dumps(broken))
    home.reader.look()
    (problem,) = [seen.problem or "" for seen in home.reader.problems()]
    assert "references/procedure.json: Procedure.outputs: expected list, got str" in problem
    assert says(row(home), 1)


@pytest.mark.parametrize("strict", [False, True])
def test_a_damaged_procedure_is_refused_at_the_gate(home: Home, strict: bool) -> None:
    damaged = folder(None).with_file("references/procedure.json", b'{"name": 1}')
    outcome = home.loop.propose(
        Proposal(
            name=NAME,
            folder=damaged,
            action=Action.CREATE,
            origin=Origin.REQUESTED_BY_USER if strict else Origin.USER,
            author="ana",
            summary="",
            parent_version_id=None,
        )
    )
    assert outcome.state is VersionState.REJECTED
    assert "references/procedure.json: Procedure: unknown [], missing" in outcome.reason


def test_health_tries_the_template_with_the_values_of_its_version(home: Home) -> None:
    release(home, folder(procedure(1)))
    report = home.health.run([row(home)], None, lambda *_: None)
    (checked,) = report.skills
    assert checked.check.status == "healthy", checked.check.error
    assert checked.check.ran == ("code template",)


def test_a_test_value_without_its_file_fails_nobody(home: Home) -> None:
    lost = Procedure(
        name=NAME,
        description="d",
        intent="i",
        parameters=(Parameter(name="file_path", type="path"),),
        test_parameters={"file_path": "jan.csv"},
        code_template="file_path = {file_path}\nopen(file_path)\n",
    )
    release(home, folder(lost))
    assert row(home).code_template == lost.code_template
    assert row(home).test_parameters == {}
    (checked,) = home.health.run([row(home)], None, lambda *_: None).skills
    assert checked.check.status == "untested"
