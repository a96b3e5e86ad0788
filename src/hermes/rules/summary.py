"""What the steps of a run amount to, in figures."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.trajectory import ExecutionSummary, Step
from hermes.rules.actions.action import Action, ActionKind
from hermes.rules.actions.moves import Move, moves_of

_LONGEST_SNIPPET = 8_192
_CODE_FILES = (".py", ".sh", ".sql", ".js", ".ts", ".rb", ".r", ".jl")


def summarise(steps: Sequence[Step]) -> ExecutionSummary:
    """Whether it went well is not for the run itself to say: that stays unknown here."""
    moves = moves_of(steps)
    return ExecutionSummary(
        total_steps=len(steps),
        tool_calls_count=len(moves),
        error_count=sum(move.failed is True for move in moves),
        total_time=steps[-1].timestamp if steps else 0.0,
        tools_used=tuple(dict.fromkeys(move.action.tool for move in moves if move.action.tool)),
        best_code_snippet=_best_code(moves),
    )


def _best_code(moves: Sequence[Move]) -> str | None:
    """The last program that ran without an error; a lone command only where there is none."""
    worked = [move.action for move in moves if move.failed is not True and move.output is not None]
    for wanted in (_is_program, _is_command):
        for action in reversed(worked):
            if wanted(action) and len(action.text) <= _LONGEST_SNIPPET:
                return action.text
    return None


def _is_program(action: Action) -> bool:
    if action.kind is ActionKind.WRITE:
        return action.path.endswith(_CODE_FILES) and bool(action.text)
    several_lines = action.kind is ActionKind.RUN and "\n" in action.text.strip()
    return bool(action.text) and (action.kind is ActionKind.CODE or several_lines)


def _is_command(action: Action) -> bool:
    return action.kind is ActionKind.RUN and bool(action.text)
