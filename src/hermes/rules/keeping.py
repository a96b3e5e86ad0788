"""Which finished work is worth learning from, and whether a draft says anything new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes.ids import canonical_json, content_hash
from hermes.records.codec import dump
from hermes.records.observation import Observation
from hermes.records.procedure import Lesson, Procedure, Support
from hermes.records.trajectory import Step, StepType


@dataclass(frozen=True, slots=True, kw_only=True)
class Wants:
    """What a run must have to be kept as an example."""

    min_messages: int
    min_learning_value: float


def messages_in(steps: Sequence[Step]) -> int:
    """User, assistant and tool-result messages, as an agent's own history counts them.

    What an assistant thinks, says and calls in one go is one message, however many steps it is.
    """
    count = 0
    assistant_speaks = False
    for step in steps:
        from_user = step.type is StepType.MESSAGE and step.metadata.get("role") == "user"
        is_result = step.type is StepType.OBSERVATION
        if from_user or is_result:
            count += 1
            assistant_speaks = False
        elif not assistant_speaks:
            count += 1
            assistant_speaks = True
    return count


def why_not_kept(observation: Observation, messages: int, wants: Wants) -> str:
    """The first reason against it; empty where it is worth keeping."""
    if observation.success is None:
        return "nobody knows whether it succeeded"
    if not observation.success:
        return "it failed"
    if messages < wants.min_messages:
        return f"it has fewer than {wants.min_messages} messages"
    if observation.learning_value < wants.min_learning_value:
        return f"its learning value is below {wants.min_learning_value:g}"
    return ""


_NO_SUPPORT = Support(examples=0, of=0)


def substance(procedure: Procedure) -> str:
    """The hash of what a procedure tells its reader to do.

    How often each line was seen, and in which runs, is evidence: more of it changes nothing here.
    """
    bare = replace(
        procedure,
        test_parameters={},
        example_ids=(),
        parameters=tuple(replace(one, observed=()) for one in procedure.parameters),
        steps=tuple(replace(one, support=_NO_SUPPORT) for one in procedure.steps),
        preconditions=_bare(procedure.preconditions),
        success_criteria=_bare(procedure.success_criteria),
        pitfalls=_bare(procedure.pitfalls),
        guardrails=_bare(procedure.guardrails),
    )
    return content_hash(canonical_json(dump(bare)).encode())


def _bare(lessons: tuple[Lesson, ...]) -> tuple[Lesson, ...]:
    return tuple(replace(one, support=_NO_SUPPORT) for one in lessons)
