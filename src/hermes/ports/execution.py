"""The agent at work: who runs it, who writes down what it does, who watches and who is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # a command that only lists must not pay for every word there is
    from hermes.records.artefact import Artefact
    from hermes.records.codec import Json
    from hermes.records.recall import Recalled
    from hermes.records.skill import Skill
    from hermes.records.tool_answer import ToolAnswer
    from hermes.records.turn import Answer, FoundSkill, Spent
    from hermes.records.waiting import ReviewKind


class Recorder(Protocol):
    """Writes down one run. Each call returns when its step is on disk."""

    def message(self, role: str, text: str, **metadata: Json) -> None: ...
    def thought(self, text: str) -> None: ...
    def called(
        self,
        call_id: str,
        tool: str,
        arguments: Mapping[str, Json],
        artefacts: Sequence[Artefact] = (),
    ) -> None:
        """`artefacts` are the files that the call names, as they are before it."""
        ...

    def answered(self, call_id: str, tool: str, answer: ToolAnswer) -> None: ...
    def spent(self, spent: Spent) -> None:
        """What the model's last answer cost; kept with the next step."""
        ...


class Listener(Protocol):
    """Somebody who watches. Nothing depends on what they do with it."""

    def text(self, piece: str) -> None:
        """A piece of what the agent says."""
        ...

    def thought(self, piece: str) -> None: ...
    def calling(self, tool: str, line: str) -> None: ...
    def called(self, tool: str, answer: ToolAnswer) -> None: ...
    def note(self, line: str) -> None:
        """What the runtime says: a retry, a limit that comes near."""
        ...


class Asker(Protocol):
    """A person who can allow what is otherwise not allowed."""

    def allows(self, question: str) -> bool | None:
        """None where nobody is there to answer, which allows nothing."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What the agent is told. `instructions` are asked for anew before each request to the model,
    because the library may have changed meanwhile."""

    prompt: str
    instructions: Callable[[], str]


class Agent(Protocol):
    """Works on one request until it has an answer, or may not go on."""

    def work(self, brief: Brief, recorder: Recorder, listener: Listener) -> Answer:
        """Nothing that a model, a tool or a person's Ctrl-C does is raised: the answer says it."""
        ...


class SkillFinder(Protocol):
    """The live library as a request sees it; never stale for what it shows."""

    def find(self, text: str) -> Sequence[FoundSkill]:
        """Best first."""
        ...

    def catalogue(self, ranked: Sequence[Skill], drafts: Sequence[Skill]) -> str:
        """The text for a prompt, within its budget."""
        ...

    def generation(self) -> int:
        """Higher after every change of the library, by whatever process."""
        ...


class Recaller(Protocol):
    """Memories for a request."""

    def expect(self, text: str) -> None:
        """This will be asked for in a moment: what can be begun without waiting is begun."""
        ...

    def recall(self, text: str) -> Recalled: ...


class Verifier(Protocol):
    """Decides success by a command or a file that was there before the run."""

    def verify(self) -> tuple[bool, str, str]:
        """(passed, what was checked, what it said in a line)."""
        ...


class ReviewCounters(Protocol):
    """How much happened in a session since it was last reviewed, for each kind of review."""

    def of(self, session_id: str) -> Mapping[ReviewKind, int]: ...
    def put(self, session_id: str, counts: Mapping[ReviewKind, int]) -> None: ...


class OpenRuns(Protocol):
    """Whose runs are open. A run of a process that is dead was interrupted."""

    def put(self, trajectory_id: str, owner: str) -> None: ...
    def delete(self, trajectory_id: str) -> None: ...
    def all(self) -> Mapping[str, str]:
        """Trajectory id → the process that runs it."""
        ...
