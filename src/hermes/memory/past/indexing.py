"""Indexing: ended runs become passages, with their words and some with their meaning.

A few runs at a time, each batch one transaction: whoever is killed loses one batch, and the next
call goes on where the rows say. Safe to repeat, and beside other processes that do the same. The
newest runs come first, for those are looked for soonest.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hermes.errors import CorruptData, EmbedderUnavailable
from hermes.memory.embedding import label_of
from hermes.memory.past.packing import packed, packed_vectors, passages_in
from hermes.ports import Embedder, Tasks, Trajectories
from hermes.ports.past import IndexedRun, Passages, Reading
from hermes.rules.past.passages import FORM, passages_of, searchable, terms_of, worth_a_vector

_RUNS = 16  # in a transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class PastSources:
    """Where past work is read, and where its index is kept. Without an embedder words decide."""

    passages: Passages
    trajectories: Trajectories
    tasks: Tasks
    embedder: Embedder | None = None


class Indexing:
    """`damaged` are the runs that could not be read, by id: they stay due, and stop no other."""

    def __init__(self, sources: PastSources) -> None:
        self._sources = sources
        self.damaged: dict[str, CorruptData] = {}

    def unread(self) -> int:
        """How many ended runs no search finds yet."""
        return self._sources.passages.count_due(FORM)

    def run(self, *, limit: int | None = None, seconds: float | None = None) -> int:
        """Index, then embed, each up to `limit` runs; how many times a run was taken up.

        Stops between two batches.
        """
        ends = None if seconds is None else time.monotonic() + seconds
        done = _in_batches(self._index_some, limit, ends)
        embedder = self._sources.embedder
        if embedder is not None:
            done += _in_batches(lambda most: self._embed_some(embedder, most), limit, ends)
        return done

    def take_up(self, limit: int) -> int:
        """Index and embed the newest runs that are due, and look for no other."""
        due = self._due(limit)
        if not due:
            return 0
        count = self._index(due)
        if self._sources.embedder is not None:
            self._embed(self._sources.embedder, due)
        return count

    def _index_some(self, most: int) -> int:
        return self._index(self._due(most))

    def _due(self, most: int) -> list[str]:
        due = self._sources.passages.due(FORM, most + len(self.damaged))
        return [trajectory_id for trajectory_id in due if trajectory_id not in self.damaged][:most]

    def _index(self, trajectory_ids: Sequence[str]) -> int:
        readings = [one for run in trajectory_ids if (one := self._reading(run))]
        return self._sources.passages.put(readings, FORM) if readings else 0

    def _reading(self, trajectory_id: str) -> Reading | None:
        seen = self._sources.trajectories.get(trajectory_id)
        task = self._sources.tasks.get(seen.task_id) if seen else None
        if seen is None or task is None:
            return None
        try:
            steps = self._sources.trajectories.steps(trajectory_id)
        except CorruptData as error:
            self.damaged[trajectory_id] = error
            return None
        cut = passages_of(task.text, steps)
        return Reading(seen, *packed([(passage, terms_of(text)) for passage, text in cut]))

    def _embed_some(self, embedder: Embedder, most: int) -> int:
        due = self._sources.passages.unembedded(label_of(embedder), most)
        return self._embed(embedder, due) if due else 0

    def _embed(self, embedder: Embedder, trajectory_ids: Sequence[str]) -> int:
        label, passages = label_of(embedder), self._sources.passages
        runs = [run for one in trajectory_ids if (run := passages.of_run(one))]
        chosen = [self._texts(run) for run in runs]
        try:
            vectors = iter(embedder.embed([text for one in chosen for _, text in one]))
        except EmbedderUnavailable:  # words find them; the next call tries again
            return 0
        kept = 0
        for run, texts in zip(runs, chosen, strict=True):
            data = packed_vectors([(at, next(vectors)) for at, _ in texts])
            kept += passages.put_vectors(run, label, data)
        return kept

    def _texts(self, run: IndexedRun) -> list[tuple[int, str]]:
        """(passage, text) of what is worth a vector."""
        passages = passages_in(run.places)
        texts = []
        for at in worth_a_vector(passages):
            text = passage_text(self._sources, run.trajectory_id, passages[at].step_id)
            piece = text[passages[at].start : passages[at].end]
            if piece.strip():
                texts.append((at, piece))
        return texts


def passage_text(sources: PastSources, trajectory_id: str, step_id: int) -> str:
    """The whole text that a passage was cut from; empty where it is gone."""
    if step_id:
        step = sources.passages.step(trajectory_id, step_id)
        return searchable(step) if step else ""
    asked = sources.passages.asked(trajectory_id)
    return asked[1] if asked else ""


def _in_batches(some: Callable[[int], int], limit: int | None, ends: float | None) -> int:
    done = 0
    while ends is None or time.monotonic() < ends:
        most = _RUNS if limit is None else min(_RUNS, limit - done)
        count = some(most) if most > 0 else 0
        if not count:
            break
        done += count
    return done
