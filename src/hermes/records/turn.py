"""Turn: one request to the agent, from the words of a person to the end of its run."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from hermes.records.skill import Skill
from hermes.records.use import Arm
from hermes.records.waiting import ReviewKind


class TurnEnd(StrEnum):
    """How a run ended. Only ANSWERED is an end of the agent's own making."""

    ANSWERED = "answered"
    STOPPED = "stopped"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a run cost. `cost_usd` is None where nobody knows the price of the model."""

    requests: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSkill:
    """A live skill that fits a request. `relevance` is between 0 and 1; the rates are of its uses.

    `vector` is what its description means (float32), where an embedder is at hand.
    """

    skill: Skill
    relevance: float
    successes: int = 0
    uses: int = 0
    vector: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A skill that the prompt of a task recommends: which version, and why this one."""

    skill_id: str
    name: str
    version_id: str
    release_id: str | None
    arm: Arm
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How the agent's part of a turn ended. `reason` says why where it did not answer.

    `code` is that of the error behind it, for whoever decides whether to try again. `iterations`
    counts the rounds in which tools were called.
    """

    end: TurnEnd
    text: str
    reason: str = ""
    code: str = ""
    iterations: int = 0
    spent: Spent = field(default_factory=Spent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What became of a request. `verified` is None where no check was asked for."""

    session_id: str
    task_id: str
    trajectory_id: str
    answer: Answer
    verified: bool | None = None
    check: str = ""
    """What the verification said, in a line."""
    reviews: tuple[ReviewKind, ...] = ()
