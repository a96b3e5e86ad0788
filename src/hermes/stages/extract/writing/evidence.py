"""references/evidence.md: every line of the procedure, and the steps that prove it."""

from __future__ import annotations

from collections.abc import Iterator

from hermes.records.procedure import Lesson, Procedure, Support
from hermes.stages.extract.writing.markdown import table

_MOST_STEPS = 12


def evidence_of(procedure: Procedure) -> str:
    rows = [
        (line, f"{support.examples} of {support.of}", _steps(support))
        for line, support in _lines(procedure)
    ]
    listed = "\n".join(f"- {example_id}" for example_id in procedure.example_ids)
    return (
        f"# Evidence for {procedure.name}\n\n"
        "Each line of the skill, in how many examples it was seen, and in which of their steps.\n\n"
        f"{table(('line', 'support', 'steps'), rows)}\n\n## Examples\n\n{listed}\n"
    )


def _lines(procedure: Procedure) -> Iterator[tuple[str, Support]]:
    for number, step in enumerate(procedure.steps, 1):
        yield f"Step {number}: {step.title}", step.support
    kinds: tuple[tuple[str, tuple[Lesson, ...]], ...] = (
        ("Precondition", procedure.preconditions),
        ("Constraint", procedure.guardrails),
        ("Pitfall", procedure.pitfalls),
        ("Check", procedure.success_criteria),
    )
    for kind, lessons in kinds:
        for lesson in lessons:
            yield f"{kind}: {lesson.text} {lesson.remedy}".strip(), lesson.support


def _steps(support: Support) -> str:
    shown = [f"{one.trajectory_id}#{one.step_id}" for one in support.steps[:_MOST_STEPS]]
    more = len(support.steps) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
