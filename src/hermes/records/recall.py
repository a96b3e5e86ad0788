"""What remembering and recalling answer, with the reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hermes.records.memory import Memory, Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What became of a text. Exactly one of `memory`, `merged_into` and `refused` says it.

    `superseded` are the ids of memories that this one takes the place of. A memory that
    `waits_for_approval` is kept and not recalled.
    """

    memory: Memory | None = None
    merged_into: str | None = None
    superseded: tuple[str, ...] = ()
    refused: str | None = None
    waits_for_approval: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """What made a hit. `semantic` is None where there is no vector to compare.

    `lexical` and `semantic` are between 0 and 1; `decay` and `reinforced` are the factors that age
    and use put on their sum, `context` what neighbours, speaker and time added to it.
    """

    lexical: float
    semantic: float | None
    age_days: float
    decay: float
    superseded: bool
    reinforced: float
    context: float = 0.0
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [f"words: {', '.join(self.words)}"] if self.words else []
        if self.semantic is not None:
            parts.append(f"meaning: {self.semantic:.2f}")
        if self.context > 0:
            parts.append(f"context: +{self.context:.2f}")
        parts.append(f"{self.age_days:.0f} days old")
        if self.superseded:
            parts.append("superseded")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that was recalled; `score` orders the hits, `why` tells what made it."""

    memory: Memory
    score: float
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """How many candidates were left out, by the reason."""

    unlike: int = 0
    near_duplicates: int = 0
    expired: int = 0
    waiting: int = 0
    over_budget: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """The hits, best first, and what was left out of them."""

    items: tuple[Hit, ...] = ()
    cut: Cut = field(default_factory=Cut)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidation:
    """A proposal: these episodes say one thing, which could be remembered once.

    `trust` is that of the least trusted of them: saying a thing often does not make it true.
    """

    text: str
    scope: str
    trust: Trust
    evidence: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFigures:
    """What `hermes memory stats` shows of some scopes.

    `kinds` counts what is kept; `ages` counts it by `day`, `week`, `month`, `year` and `older`;
    `tallies` counts what happened: added, merged, refused, superseded, forgotten, searches, hits.
    """

    kinds: Mapping[str, int]
    ages: Mapping[str, int]
    tallies: Mapping[str, int]
    superseded: int
    waiting: int
    without_vector: int

    @property
    def junk_rate(self) -> float:
        return self._rate("refused")

    @property
    def duplicate_rate(self) -> float:
        return self._rate("merged")

    def _rate(self, name: str) -> float:
        offered = sum(self.tallies.get(one, 0) for one in ("added", "merged", "refused"))
        return self.tallies.get(name, 0) / offered if offered else 0.0
