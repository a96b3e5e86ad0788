"""Figures: how much is remembered, how old it is, and what became of what was offered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date

from hermes.ports import Clock, MemoryTallies, MemoryVectors
from hermes.records.recall import MemoryFigures

_AGES = (("day", 1), ("week", 7), ("month", 30), ("year", 365))


class Figures:
    def __init__(
        self, tallies: MemoryTallies, vectors: MemoryVectors, clock: Clock, embedder: str | None
    ) -> None:
        self._tallies = tallies
        self._vectors = vectors
        self._clock = clock
        self._embedder = embedder

    def of(self, scopes: Sequence[str]) -> MemoryFigures:
        kinds: Counter[str] = Counter()
        ages: Counter[str] = Counter()
        tallies: Counter[str] = Counter()
        superseded = waiting = with_vector = 0
        today = self._clock.now().date()
        for scope in dict.fromkeys(scopes):
            tallies.update(self._tallies.of(scope))
            for kind, is_superseded, is_waiting, day, count in self._tallies.counts(scope):
                kinds[kind] += count
                ages[_age(today, day)] += count
                superseded += count * is_superseded
                waiting += count * is_waiting
            if self._embedder is not None:
                with_vector += self._vectors.count(scope, self._embedder)
        return MemoryFigures(
            kinds=dict(kinds),
            ages=dict(ages),
            tallies=dict(tallies),
            superseded=superseded,
            waiting=waiting,
            without_vector=kinds.total() - with_vector,
        )


def _age(today: date, day: str) -> str:
    days = (today - date.fromisoformat(day)).days
    return next((name for name, most in _AGES if days <= most), "older")
