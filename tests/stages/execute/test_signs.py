"""What makes a look back worth it at once, read from the steps of a turn."""

from __future__ import annotations

import pytest

from hermes.rules.follow_up import MessageKind
from hermes.rules.review_trigger import Sign
from hermes.stages.execute.signs import signs_of
from hermes.testing.scripted_steps import ScriptedSteps

OTHER = MessageKind.OTHER


def _recovered(work: ScriptedSteps) -> ScriptedSteps:
    wrong = "pytest --fail-fast tests"
    work.run(wrong, "error: unrecognized arguments: --fail-fast", exit_code=4)
    return work.run("pytest -x tests", "14 passed").says("All pass.")


@pytest.mark.parametrize(
    ("said", "sign"),
    [
        (MessageKind.CORRECTION, Sign.CORRECTED),
        (MessageKind.FRUSTRATION, Sign.FRUSTRATED),
    ],
)
def test_what_a_person_says_is_a_sign(said: MessageKind, sign: Sign) -> None:
    assert signs_of(ScriptedSteps().user("x").says("ok").steps, said) == {sign}


def test_a_smooth_turn_has_none() -> None:
    work = ScriptedSteps().user("count rows").run("wc -l a.csv", "3").says("Three.")
    assert signs_of(work.steps, OTHER) == frozenset()


def test_an_error_that_was_overcome_is_a_sign() -> None:
    assert signs_of(_recovered(ScriptedSteps().user("run the tests")).steps, OTHER) == {
        Sign.RECOVERED
    }


def test_an_error_that_was_left_alone_is_none() -> None:
    work = ScriptedSteps().user("run the tests").run("pytest", "2 failed", exit_code=1)
    assert signs_of(work.says("Two fail.").steps, OTHER) == frozenset()


def test_a_skill_that_was_followed_into_an_error_is_wrong() -> None:
    work = ScriptedSteps().user("run the tests")
    work.call("skill_view", {"name": "python-test-debugging"}, "…", error=False)
    assert signs_of(_recovered(work).steps, OTHER) == {Sign.RECOVERED, Sign.SKILL_WRONG}


def test_a_skills_own_program_that_fails_is_wrong() -> None:
    work = ScriptedSteps().user("totals")
    work.call("skill_csv_totals", {"path": "a.csv"}, "Traceback", error=True)
    assert signs_of(work.says("It failed.").steps, OTHER) == {Sign.SKILL_WRONG}


def test_looking_for_a_skill_that_is_not_there_proves_none_wrong() -> None:
    work = ScriptedSteps().user("totals")
    work.call("skill_view", {"name": "nothing"}, "there is no skill", error=True)
    assert signs_of(work.says("There is none.").steps, OTHER) == frozenset()
