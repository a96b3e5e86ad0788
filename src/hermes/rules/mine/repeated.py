"""What failed runs teach: the same error in several of them, and that the steps avoid it.

Only the kind of error is told, never a tool's own words, and no tool is forbidden: a way that
worked is named instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hermes.records.candidate import StepRef
from hermes.records.procedure import Lesson, Procedure, Support
from hermes.rules.actions.moves import Move
from hermes.rules.mine.failures import is_transient, told
from hermes.rules.mine.worked import Worked

LEAST = 2
"""Runs that must have failed the same way: one bad day teaches nothing."""


def repeated_failures(failed: Sequence[Worked], procedure: Procedure) -> tuple[Lesson, ...]:
    """Errors that ended at least two runs and that the procedure does not name yet."""
    known = {lesson.text for lesson in procedure.pitfalls}
    ends: dict[str, list[StepRef]] = {}
    for worked in failed:
        for text, move in _last_errors(worked):
            ref = StepRef(trajectory_id=worked.trajectory_id, step_id=move.step_id)
            ends.setdefault(text, []).append(ref)
    runs = len(procedure.example_ids)
    return tuple(
        Lesson(
            text=text,
            remedy=f"Follow the steps as they stand: {runs} runs that did came through.",
            support=Support(examples=len(steps), of=len(failed), steps=tuple(steps)),
        )
        for text, steps in sorted(ends.items(), key=lambda item: (-len(item[1]), item[0]))
        if len(steps) >= LEAST and text not in known
    )


def _last_errors(worked: Worked) -> Iterator[tuple[str, Move]]:
    """The last error of a run; none where it was one that another try would not have met."""
    for move in reversed(worked.moves):
        if move.failed and move.output is not None:
            text = told(move.output)
            if text and not is_transient(move.output):
                yield text, move
            return
