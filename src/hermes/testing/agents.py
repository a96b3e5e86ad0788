"""An agent at work in a test: a model that follows a script, and somebody who watches."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, DeltaToolCall, FunctionModel

from hermes.app import Home
from hermes.app.agent import AgentOptions, AgentSession, open_agent
from hermes.records.codec import Json
from hermes.records.tool_answer import ToolAnswer
from hermes.records.trajectory import Step, Trajectory
from hermes.store.tables.trajectory import TrajectoryTable


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call of the script. A text for `arguments` is sent as it is, however wrong."""

    tool: str
    arguments: Mapping[str, Json] | str = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Thinks:
    text: str


Said = str | Call | Thinks | BaseException
"""One part of an answer: words, a call, a thought, or an error that the model's side raises."""


class ScriptedAgent:
    """Answers in the order of its script; `asked` is what it was sent. Fails on what is left."""

    def __init__(self, *answers: Said | Sequence[Said]) -> None:
        self.asked: list[list[ModelMessage]] = []
        self.instructions: list[str] = []
        self.tools: list[list[str]] = []
        self._answers = [[one] if isinstance(one, Said) else list(one) for one in answers]

    @property
    def model(self) -> Model:
        return FunctionModel(stream_function=self._stream)

    def check_used(self) -> None:
        left = len(self._answers) - len(self.asked)
        assert left == 0, f"{left} answers of the script were not asked for"

    async def _stream(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        at = len(self.asked)
        self.asked.append(list(messages))
        self.instructions.append(info.instructions or "")
        self.tools.append([tool.name for tool in info.function_tools])
        assert at < len(self._answers), "the model was asked beyond its script"
        for number, said in enumerate(self._answers[at]):
            if isinstance(said, BaseException):
                raise said
            yield _piece(said, number, at)


class SmallAgent(ScriptedAgent):
    """One that reads 8,192 tokens at once."""

    @property
    def model(self) -> Model:
        return FunctionModel(stream_function=self._stream, profile={"context_window": 8_192})


def _piece(said: str | Call | Thinks, number: int, at: int) -> Any:
    if isinstance(said, str):
        return said
    if isinstance(said, Thinks):
        return {number: DeltaThinkingPart(content=said.text)}
    raw = said.arguments if isinstance(said.arguments, str) else json.dumps(said.arguments)
    return {
        number: DeltaToolCall(name=said.tool, json_args=raw, tool_call_id=f"call-{at}-{number}")
    }


class Watcher:
    """Keeps what it was told."""

    def __init__(self) -> None:
        self.words = ""
        self.thoughts = ""
        self.lines: list[str] = []
        self.answers: list[tuple[str, ToolAnswer]] = []
        self.notes: list[str] = []

    def text(self, piece: str) -> None:
        self.words += piece

    def thought(self, piece: str) -> None:
        self.thoughts += piece

    def calling(self, tool: str, line: str) -> None:
        self.lines.append(line)

    def called(self, tool: str, answer: ToolAnswer) -> None:
        self.answers.append((tool, answer))

    def note(self, line: str) -> None:
        self.notes.append(line)


class Answers:
    """A person who always says the same; None is nobody."""

    def __init__(self, answer: bool | None = None) -> None:
        self.questions: list[str] = []
        self._answer = answer

    def allows(self, question: str) -> bool | None:
        self.questions.append(question)
        return self._answer


def session_of(
    home: Home, agent: ScriptedAgent, project: Path, *, asker: Answers | None = None, **options: Any
) -> AgentSession:
    """A session of a scripted agent in a real home."""
    project.mkdir(parents=True, exist_ok=True)
    chosen = AgentOptions(project=project, built=agent.model, **options)
    return open_agent(home, chosen, asker or Answers())


def run_of(home: Home, trajectory_id: str) -> tuple[Trajectory, Sequence[Step]]:
    """A run as another process would read it."""
    trajectories = TrajectoryTable(home.database)
    trajectory = trajectories.get(trajectory_id)
    assert trajectory is not None
    return trajectory, trajectories.steps(trajectory_id)
