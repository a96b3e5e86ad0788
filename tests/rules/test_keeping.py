"""What is worth keeping, and when two procedures say the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.records.candidate import StepRef
from hermes.records.observation import SuccessSource
from hermes.records.procedure import Lesson, Procedure, ProcedureStep, Support
from hermes.records.skill import Parameter
from hermes.records.trajectory import Step, StepType
from hermes.rules.keeping import Wants, messages_in, substance, why_not_kept
from hermes.testing import samples

WANTS = Wants(min_messages=10, min_learning_value=0.6)


def steps(*kinds: str) -> list[Step]:
    """u(ser), a(ssistant), t(hought), c(all), r(esult)."""
    types = {"t": StepType.THOUGHT, "c": StepType.TOOL_CALL, "r": StepType.OBSERVATION}
    return [
        Step(
            step_id=number,
            type=types.get(kind, StepType.MESSAGE),
            content="x",
            timestamp=0.0,
            metadata={"role": {"u": "user", "a": "assistant"}[kind]} if kind in "ua" else {},
        )
        for number, kind in enumerate(kinds, start=1)
    ]


@pytest.mark.parametrize(
    ("kinds", "count"),
    [
        ("", 0),
        ("ua", 2),
        ("utacra", 4),  # what is thought, said and called in one go is one message
        ("uccrra", 5),  # two calls at once are one message, their results are two
        ("ucrcrua", 7),
    ],
)
def test_messages_are_counted_as_a_history_holds_them(kinds: str, count: int) -> None:
    assert messages_in(steps(*kinds)) == count


@pytest.mark.parametrize(
    ("success", "messages", "value", "why"),
    [
        (True, 10, 0.6, ""),
        (None, 10, 1.0, "nobody knows"),
        (False, 10, 1.0, "it failed"),
        (True, 9, 1.0, "fewer than 10 messages"),
        (True, 10, 0.59, "learning value is below 0.6"),
    ],
)
def test_the_first_reason_against_it(
    success: bool | None, messages: int, value: float, why: str
) -> None:
    source = SuccessSource.UNKNOWN if success is None else SuccessSource.CHECK
    observation = samples.observation(
        "trj_1", success=success, success_source=source, learning_value=value
    )
    told = why_not_kept(observation, messages, WANTS)
    assert why in told
    assert bool(told) is bool(why)


def support(examples: int) -> Support:
    return Support(examples=examples, of=examples, steps=(StepRef(trajectory_id="t", step_id=1),))


PROCEDURE = Procedure(
    name="tidy-csv",
    description="Tidies.",
    intent="tidy",
    parameters=(Parameter(name="path", type="path", observed=("a.csv",)),),
    steps=(ProcedureStep(tool="shell", title="Sort", code="sort {path}", support=support(3)),),
    pitfalls=(Lesson(text="a BOM", remedy="utf-8-sig", support=support(1)),),
    example_ids=("example_1",),
)


def test_more_evidence_is_not_another_procedure() -> None:
    seen_more = replace(
        PROCEDURE,
        example_ids=("example_1", "example_2"),
        parameters=(Parameter(name="path", type="path", observed=("a.csv", "b.csv")),),
        steps=tuple(replace(step, support=support(9)) for step in PROCEDURE.steps),
        pitfalls=tuple(replace(one, support=support(4)) for one in PROCEDURE.pitfalls),
    )
    assert substance(seen_more) == substance(PROCEDURE)


@pytest.mark.parametrize(
    "changed",
    [
        replace(PROCEDURE, pitfalls=()),
        replace(PROCEDURE, description="Tidies well."),
        replace(PROCEDURE, steps=(replace(PROCEDURE.steps[0], code="sort -u {path}"),)),
        replace(PROCEDURE, parameters=(Parameter(name="file", type="path"),)),
    ],
)
def test_another_line_is(changed: Procedure) -> None:
    assert substance(changed) != substance(PROCEDURE)
