"""Procedure: what a skill does, in a form that can be run, compared and proven.

It is mined from examples and travels inside the skill's folder (`references/procedure.json`), so
that a rollback brings the procedure back together with the prose that describes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hermes.records.candidate import StepRef
from hermes.records.codec import Json
from hermes.records.skill import Parameter

PROGRAM_TOOL = "skill_"
"""How the tools begin that are a skill's own program, so that a record tells them apart."""
_OTHERS = frozenset({"skill_view", "skill_manage"})


def is_program(tool: str) -> bool:
    """Whether a tool of this name is a skill's own program."""
    return tool.startswith(PROGRAM_TOOL) and tool not in _OTHERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """In how many of the examples a line was seen, and in which steps."""

    examples: int
    of: int
    steps: tuple[StepRef, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureStep:
    """One thing to do. `code` is a text in which `{name}` stands for a parameter.

    `alternatives` are other texts that examples had in its place; an optional step was left out by
    some of them.
    """

    tool: str
    title: str
    code: str = ""
    language: str = ""
    optional: bool = False
    alternatives: tuple[str, ...] = ()
    support: Support


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A line that experience taught: a pitfall with its remedy, or a person's correction."""

    text: str
    remedy: str = ""
    support: Support


@dataclass(frozen=True, slots=True, kw_only=True)
class Clue:
    """How the value of a parameter is found for a new case."""

    parameter: str
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """The structured form of a skill.

    `code_template` is one Python program: first a line `name = {name}` for each parameter, then
    code that uses those variables. None where no program can stand for the steps; then
    `why_no_program` says why. `outputs` names the parameters (or fixed paths) of the files it
    writes.
    """

    name: str
    description: str
    intent: str
    trigger_conditions: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    test_parameters: Mapping[str, Json] = field(default_factory=dict)
    how_to_find: tuple[Clue, ...] = ()
    preconditions: tuple[Lesson, ...] = ()
    steps: tuple[ProcedureStep, ...] = ()
    code_template: str | None = None
    why_no_program: str = ""
    outputs: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    success_criteria: tuple[Lesson, ...] = ()
    pitfalls: tuple[Lesson, ...] = ()
    guardrails: tuple[Lesson, ...] = ()
    example_ids: tuple[str, ...] = ()
