"""Trajectory: one execution of a task, as ordered steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from hermes.records.artefact import Artefact
from hermes.records.codec import Json


class StepType(StrEnum):
    THOUGHT = "thought"
    TOOL_CALL = "tool_call"
    OBSERVATION = "observation"
    MESSAGE = "message"


class TrajectoryState(StrEnum):
    OPEN = "open"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """`timestamp` is seconds since the trajectory started; `metadata` holds tool_name, error, …"""

    step_id: int
    type: StepType
    content: str
    timestamp: float
    metadata: Mapping[str, Json] = field(default_factory=dict)
    artefacts: tuple[Artefact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionSummary:
    """What a trajectory amounted to; `was_successful` stays None while nobody knows."""

    total_steps: int
    tool_calls_count: int
    error_count: int
    total_time: float
    tools_used: tuple[str, ...] = ()
    was_successful: bool | None = None
    best_code_snippet: str | None = None

    def to_formatted_trace(self, steps: Sequence[Step]) -> str:
        """The run as a page that a person or a model reads: figures first, then step by step."""
        outcome = {True: "succeeded", False: "failed", None: "outcome unknown"}
        head = (
            f"{outcome[self.was_successful]}: {self.total_steps} steps, "
            f"{self.tool_calls_count} tool calls, {self.error_count} errors, "
            f"{self.total_time:.1f} s; tools: {', '.join(self.tools_used) or 'none'}"
        )
        return "\n".join((head, *(_traced(step) for step in steps)))


def _traced(step: Step) -> str:
    who = step.metadata.get("role") or step.metadata.get("tool_name") or ""
    failed = " (failed)" if step.metadata.get("error") is True else ""
    text = step.content.replace("\n", "\n    ")
    return f"[{step.timestamp:8.1f} s] {step.step_id}. {step.type} {who}{failed}: {text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """The head of an execution; its steps are read apart, in order, because they are many."""

    id: str
    task_id: str
    session_id: str | None
    state: TrajectoryState
    model: str | None = None
    started_at: datetime
    ended_at: datetime | None = None
    summary: ExecutionSummary | None = None

    def __post_init__(self) -> None:
        if (self.state is TrajectoryState.OPEN) != (self.ended_at is None):
            raise ValueError("an open trajectory has no end, any other has one")
