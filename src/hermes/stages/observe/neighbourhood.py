"""Neighbourhood: the other runs there are, and which of them are like a given one.

It is what makes the comparing parts of an observation possible (efficiency, new pitfalls, what is
generalisable), and it is filled before the first run is observed: what a run is worth must not
depend on the order in which runs are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hermes.ports import Embedder
from hermes.rules.clustering.masking import masked
from hermes.rules.observing.efficiency import Figures, figures_of
from hermes.rules.observing.generality import Neighbour, overlap
from hermes.rules.observing.recovery import recoveries_of
from hermes.rules.similarity.vectors import VectorTable
from hermes.stages.observe.run import Run

LIKE = 0.55
"""Similarity from which two tasks are taken for one kind of work: higher than most of what is,
so that a run is compared with few others rather than with wrong ones."""
_NEAREST = 20
_MOST_ALIKE = 500
"""Runs of one kind that a run is held against; more would move no median."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    trajectory_id: str
    text: str
    succeeded: bool
    figures: Figures
    pitfalls: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a run is compared with.

    `peers` are the figures of similar runs that succeeded; `pitfalls` the keys of failures that
    similar runs before this one had and overcame.
    """

    neighbours: tuple[Neighbour, ...] = ()
    peers: tuple[Figures, ...] = ()
    pitfalls: frozenset[str] = frozenset()


class Neighbourhood:
    """Without an embedder texts are compared by their words, which finds fewer.

    Texts are embedded once each, with their parameters masked: the same request for another file
    is the same kind of work.
    """

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._slots: dict[str, int] = {}
        self._known: list[_Known] = []
        self._vectors = VectorTable(embedder.dimensions) if embedder is not None else None
        self._vector_of: dict[str, bytes] = {}

    def __len__(self) -> int:
        return len(self._known)

    def take_in(self, runs: Iterable[Run]) -> None:
        """Remember these runs; one that is known already is replaced."""
        taken = {}
        for run in runs:
            known = _known(run)
            slot = self._slots.setdefault(run.trajectory.id, len(self._known))
            self._known[slot : slot + 1] = [known]
            taken[slot] = masked(known.text)
        if self._vectors is not None:
            self._embed(taken.values())
            for slot, text in taken.items():
                self._vectors.put(slot, self._vector_of[text])

    def around(self, run: Run) -> Surroundings:
        """What is known of the runs most like this one, itself left out."""
        own = self._slots.get(run.trajectory.id)
        near = [(slot, similarity) for slot, similarity in self._near(run.text) if slot != own]
        alike = [self._known[slot] for slot, similarity in near if similarity >= LIKE]
        return Surroundings(
            neighbours=tuple(
                Neighbour(text=self._known[slot].text, similarity=similarity)
                for slot, similarity in near[:_NEAREST]
            ),
            peers=tuple(known.figures for known in alike if known.succeeded),
            pitfalls=frozenset().union(
                *(known.pitfalls for known in alike if known.trajectory_id < run.trajectory.id)
            ),
        )

    def alike(self, run: Run) -> list[str]:
        """The trajectories that are of one kind with this one, the most similar first."""
        own = self._slots.get(run.trajectory.id)
        return [
            self._known[slot].trajectory_id
            for slot, similarity in self._near(run.text)
            if slot != own and similarity >= LIKE
        ]

    def _near(self, text: str) -> list[tuple[int, float]]:
        """(slot, similarity), best first: all that are alike, and the nearest of the others."""
        if self._vectors is None:
            found = [(slot, overlap(text, one.text)) for slot, one in enumerate(self._known)]
            return sorted(found, key=lambda pair: -pair[1])
        import numpy as np

        query = masked(text)
        self._embed([query])
        cosines = self._vectors.similarities(self._vector_of[query], len(self._known))
        alike = min(int(np.count_nonzero(cosines >= LIKE)), _MOST_ALIKE)
        best = np.argsort(-cosines, kind="stable")[: max(alike, _NEAREST + 1)]
        return [(int(slot), round(float(cosines[slot]), 4)) for slot in best]

    def _embed(self, texts: Iterable[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._vector_of]
        if new and self._embedder is not None:
            self._vector_of.update(zip(new, self._embedder.embed(new), strict=True))


def _known(run: Run) -> _Known:
    return _Known(
        trajectory_id=run.trajectory.id,
        text=run.text,
        succeeded=run.judgement.success is True,
        figures=figures_of(run.steps, run.moves),
        pitfalls=frozenset(one.failure.key for one in recoveries_of(run.moves) if one.teaches),
    )
