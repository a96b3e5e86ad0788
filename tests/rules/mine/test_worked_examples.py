"""What the miner sees of a trajectory: relative, redacted, the user's words kept apart."""

from __future__ import annotations

import pytest

from hermes.rules.mine import Worked, worked_of
from hermes.rules.redact.tenant import Redactor
from hermes.testing.recorded_work import NothingToHide, RecordedWork


def redacted(work: RecordedWork) -> Worked:
    redactor = Redactor(work.cwd)
    return worked_of("e", "t", work.task, work.steps, work.cwd, redactor)


@pytest.mark.parametrize(
    ("command", "seen"),
    [
        ("cat /home/ann/proj/data/jan.csv", "cat data/jan.csv"),
        ("cd /home/ann/proj && make", "make"),
        ("cd '/home/ann/proj'; make", "make"),
        ("ls /home/ann/proj", "ls ."),
        ("ls /home/ann/project2/x", "ls /home/ann/project2/x"),
    ],
)
def test_workspace_paths_are_relative(command: str, seen: str) -> None:
    worked = RecordedWork("do").bash(command).worked()
    assert worked.moves[0].action.text == seen
    assert worked.moves[0].action.arguments["command"] == seen


def test_tenant_data_is_hidden_everywhere() -> None:
    work = RecordedWork("Mail it to ann.smith@corp.example")
    work.bash("mail ann.smith@corp.example", "sent to ann.smith@corp.example")
    work.corrected("No, to ann.smith@corp.example only").answered("ann.smith@corp.example has it")
    assert "ann.smith" not in repr(redacted(work))


def test_corrections_and_the_answer_are_what_people_said() -> None:
    work = RecordedWork("Sum it").bash("make").answered("First try").corrected("Use the median")
    worked = work.answered("Done").worked()
    assert [words for _, words in worked.corrections] == ["Use the median"]
    assert worked.answer == "Done"


def test_what_no_skill_can_hold_is_replaced() -> None:
    worked = worked_of("e", "t", "a\0b\ud800c", [], "", NothingToHide())
    assert worked.task == "a\ufffdb\ufffdc"
