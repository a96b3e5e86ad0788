"""A run in figures."""

from __future__ import annotations

from typing import Any

from hermes.records.trajectory import ExecutionSummary, Step, StepType
from hermes.rules.summary import summarise


def _steps(*calls: tuple[str, dict[str, Any], bool | None]) -> list[Step]:
    """A call and its result each; None: the result is not in the log."""
    steps: list[Step] = []
    for number, (tool, arguments, failed) in enumerate(calls):
        call = {"tool_name": tool, "call_id": str(number), "arguments": arguments}
        result = {"tool_name": tool, "call_id": str(number), "error": failed}
        kinds = [(StepType.TOOL_CALL, call), (StepType.OBSERVATION, result)]
        for kind, metadata in kinds[: 1 if failed is None else 2]:
            place = len(steps) + 1
            steps.append(
                Step(step_id=place, type=kind, content="", timestamp=place / 2, metadata=metadata)
            )
    return steps


def test_a_run_in_figures() -> None:
    steps = _steps(
        ("Bash", {"command": "ls"}, False),
        ("Read", {"file_path": "a"}, True),
        ("Bash", {"command": "wc a"}, False),
    )
    assert summarise(steps) == ExecutionSummary(
        total_steps=6,
        tool_calls_count=3,
        error_count=1,
        total_time=3.0,
        tools_used=("Bash", "Read"),
        best_code_snippet="wc a",
    )
    assert summarise([]).best_code_snippet is None


def test_the_best_code_is_the_last_program_that_worked() -> None:
    works = ("execute_code", {"code": "print(1)"}, False)
    fails = ("execute_code", {"code": "print(2"}, True)
    unfinished = ("execute_code", {"code": "print(3)"}, None)
    command = ("Bash", {"command": "ls"}, False)
    text = ("Write", {"file_path": "a.md", "content": "# notes"}, False)
    assert (
        summarise(_steps(works, fails, unfinished, command, text)).best_code_snippet == "print(1)"
    )
    script = ("Write", {"file_path": "a.py", "content": "print(4)"}, False)
    assert summarise(_steps(works, script)).best_code_snippet == "print(4)"
    heredoc = ("Bash", {"command": "python - <<'E'\nprint(5)\nE"}, False)
    assert summarise(_steps(script, heredoc)).best_code_snippet == "python - <<'E'\nprint(5)\nE"
