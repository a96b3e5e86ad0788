"""Which files a run was given, told from what it read and wrote."""

from __future__ import annotations

from hermes.records.artefact import Artefact, ArtefactRole
from hermes.records.trajectory import Step, StepType
from hermes.rules.given import given_files

READ, WRITTEN, GIVEN = ArtefactRole.READ, ArtefactRole.WRITTEN, ArtefactRole.GIVEN


def _file(name: str, role: ArtefactRole, content: str = "1") -> Artefact:
    return Artefact(name=name, role=role, content=content, size=1)


def _step(*artefacts: Artefact) -> Step:
    return Step(step_id=1, type=StepType.TOOL_CALL, content="", timestamp=0.0, artefacts=artefacts)


def test_what_was_read_before_anything_wrote_it_was_given() -> None:
    steps = [
        _step(_file("data.csv", READ)),
        _step(_file("out.txt", WRITTEN), _file("data.csv", WRITTEN, "2")),
        _step(_file("out.txt", READ), _file("data.csv", READ, "2")),
    ]
    assert given_files(steps) == (_file("data.csv", GIVEN),)


def test_what_a_person_handed_over_comes_first_and_as_it_was_then() -> None:
    handed = [_file("b.csv", READ)]
    steps = [_step(_file("a.csv", READ), _file("b.csv", READ, "2"))]
    assert given_files(steps, handed) == (_file("b.csv", GIVEN), _file("a.csv", GIVEN))
