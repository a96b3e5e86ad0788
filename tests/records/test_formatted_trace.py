"""A run as a page to read."""

from __future__ import annotations

from hermes.records.trajectory import ExecutionSummary, Step, StepType


def test_the_trace_says_how_it_went_and_shows_every_step() -> None:
    steps = [
        Step(
            step_id=1,
            type=StepType.MESSAGE,
            content="count",
            timestamp=0.0,
            metadata={"role": "user"},
        ),
        Step(
            step_id=2,
            type=StepType.TOOL_CALL,
            content="shell: wc -l x",
            timestamp=1.5,
            metadata={"tool_name": "shell"},
        ),
        Step(
            step_id=3,
            type=StepType.OBSERVATION,
            content="no\nsuch file",
            timestamp=2.0,
            metadata={"tool_name": "shell", "error": True},
        ),
    ]
    summary = ExecutionSummary(
        total_steps=3,
        tool_calls_count=1,
        error_count=1,
        total_time=2.0,
        tools_used=("shell",),
        was_successful=False,
    )
    assert summary.to_formatted_trace(steps).splitlines() == [
        "failed: 3 steps, 1 tool calls, 1 errors, 2.0 s; tools: shell",
        "[     0.0 s] 1. message user: count",
        "[     1.5 s] 2. tool_call shell: shell: wc -l x",
        "[     2.0 s] 3. observation shell (failed): no",
        "    such file",
    ]
