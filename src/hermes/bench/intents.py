"""Are requests of one intent found to belong together? Measured on a labelled set of our own.

Thresholds were fitted on the `fit` half, none on the `unseen` half; the list of acts was extended
by somebody who knew both, so requests of strangers may do worse. Each half is mixed with one-offs
of its own, and measured twice: with the tool profile of how each was done (ways.py), and with the
text alone. Each figure is the mean over several orders of arrival. Times of arranging are processor
time: what else the machine does is not ours to measure.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.bench.ways import Asked, drawn_profile
from hermes.rules.clustering.arranging import Arrangement
from hermes.rules.clustering.likeness import SAME_REQUEST, task_similarity
from hermes.rules.clustering.profiles import profiles

if TYPE_CHECKING:
    from hermes.rules.clustering.profiles import Vector

Embed = Callable[[Sequence[str]], Sequence[bytes]]
ONE_OFF = "one-off"
HALVES = ("fit", "unseen")
BY_BOTH, BY_TEXT = "text and tools", "text alone"
_ORDERS = 5
_LEAST = 3
"""Fewer members than this are no pattern."""
FEW, MANY, MOST = 1_000, 10_000, 40_000
"""Among the few the table of one-offs is still filling, so that each more costs more; from the many
on it is full, and growth is what it will be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """`intent` is empty for a one-off; `half` is fit or unseen; `done` is its tool profile."""

    text: str
    intent: str
    half: str
    done: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfReport:
    """Pairs: of those put together how many belong together, and of those that do how many are.

    `by` is what was known of each request: its text and the tools that did it, or the text alone.
    `one_offs` is the part of one-offs that ended in a pattern. `near_duplicates` is the part of
    pairs of one intent that count as the same request; `duplicate_precision` is the part of the
    pairs that count as the same request which are of one intent.
    """

    half: str
    by: str
    requests: int
    patterns: float
    precision: float
    recall: float
    purity: float
    one_offs: float
    near_duplicates: float
    duplicate_precision: float


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentReport:
    """`seconds` of processor time to arrange so many requests."""

    halves: tuple[HalfReport, ...]
    embedding_seconds: float
    embedded: int
    seconds: dict[int, float]

    def growth(self, small: int, large: int) -> float:
        """How many times as long the larger number of requests takes."""
        return self.seconds[large] / self.seconds[small]


class InMemory:
    """Who belongs where, in this process only."""

    def __init__(self) -> None:
        self.clusters: dict[str, dict[str, bytes]] = {}
        self._of: dict[str, str] = {}

    def put(self, key: str, cluster_id: str, vector: bytes) -> None:
        self.clusters.setdefault(cluster_id, {})[key] = vector
        self._of[key] = cluster_id

    def move(self, keys: Sequence[str], cluster_id: str) -> None:
        for key in keys:
            self.put(key, cluster_id, self.clusters[self._of[key]].pop(key))

    def members(self, cluster_id: str) -> list[tuple[str, bytes]]:
        return list(self.clusters[cluster_id].items())

    def save(self, cluster_id: str, size: int, total: bytes) -> None:
        self.clusters.setdefault(cluster_id, {})

    def drop(self, cluster_id: str) -> None:
        del self.clusters[cluster_id]


@cache
def labelled_requests() -> tuple[Request, ...]:
    """The labelled set, in the order of its file."""
    return tuple(_read((Path(__file__).parent / "data" / "intents.txt").read_text("utf-8")))


def _read(text: str) -> Iterator[Request]:
    half = intent = like = ""
    number = 0
    for line in text.splitlines():
        if line.startswith("== "):
            half, intent, *rest = line[3:].split()
            like = rest[1] if rest else ""
        elif line and not line.startswith("#"):
            number += 1
            kind, said = intent, line
            if intent == ONE_OFF:
                work, _, said = line[1:].partition("] ")
                kind = f"{ONE_OFF} {work}"
            yield Request(
                text=said,
                intent="" if intent == ONE_OFF else intent,
                half=half,
                done=drawn_profile(Asked(kind=kind, like=like, number=number)),
            )


def measure(embed: Embed) -> IntentReport:
    """Everything the report names, with this embedder."""
    requests = labelled_requests()
    start = time.perf_counter()
    both = profiles([(request.text, request.done) for request in requests], embed)
    spent = time.perf_counter() - start
    alone = profiles([(request.text, ()) for request in requests], embed)
    return IntentReport(
        halves=tuple(
            _half(half, by, list(zip(requests, vectors, strict=True)))
            for half in HALVES
            for by, vectors in ((BY_BOTH, both), (BY_TEXT, alone))
        ),
        embedding_seconds=spent,
        embedded=len(requests),
        seconds=_seconds(both),
    )


def clustered(vectors: Sequence[Vector], order: Sequence[int]) -> list[list[int]]:
    """The patterns that come of these vectors, arriving in this order, as numbers of vectors."""
    kept = InMemory()
    arrangement = Arrangement(kept, len(vectors[0]))
    for count, at in enumerate(order):
        arrangement.place(str(at), vectors[at], f"c{count:09}", f"c{count:09}s")
    found = [[int(key) for key in members] for members in kept.clusters.values()]
    return [members for members in found if len(members) >= _LEAST]


def _half(half: str, by: str, made: Sequence[tuple[Request, Vector]]) -> HalfReport:
    chosen = [(request, vector) for request, vector in made if request.half == half]
    labels = [request.intent or f"{ONE_OFF} {at}" for at, (request, _) in enumerate(chosen)]
    vectors = [vector for _, vector in chosen]
    scores = []
    for seed in range(_ORDERS):
        order = list(range(len(vectors)))
        random.Random(seed).shuffle(order)
        scores.append(_score(clustered(vectors, order), labels))
    patterns, precision, recall, purity, one_offs = (
        sum(column) / _ORDERS for column in zip(*scores, strict=True)
    )
    near, precise = _duplicates(vectors, labels)
    return HalfReport(
        half=half,
        by=by,
        requests=len(chosen),
        patterns=patterns,
        precision=precision,
        recall=recall,
        purity=purity,
        one_offs=one_offs,
        near_duplicates=near,
        duplicate_precision=precise,
    )


def _score(
    patterns: Sequence[Sequence[int]], labels: Sequence[str]
) -> tuple[float, float, float, float, float]:
    counts = [Counter(labels[at] for at in members) for members in patterns]
    together = sum(_pairs(len(members)) for members in patterns)
    right = sum(_pairs(count) for counted in counts for count in counted.values())
    asked = Counter(label for label in labels if not label.startswith(ONE_OFF))
    members = sum(len(pattern) for pattern in patterns)
    leaked = sum(label.startswith(ONE_OFF) for counted in counts for label in counted)
    return (
        float(len(patterns)),
        right / max(together, 1),
        right / sum(map(_pairs, asked.values())),
        sum(max(counted.values()) for counted in counts) / max(members, 1),
        leaked / max(sum(label.startswith(ONE_OFF) for label in labels), 1),
    )


def _pairs(count: int) -> int:
    return count * (count - 1) // 2


def _duplicates(vectors: Sequence[Vector], labels: Sequence[str]) -> tuple[float, float]:
    """How many pairs of one intent count as the same request, and how often that is right."""
    counted: Counter[bool] = Counter()
    same: Counter[bool] = Counter()
    for at, one in enumerate(vectors):
        for other in range(at):
            belongs = labels[at] == labels[other]
            counted[belongs] += 1
            same[belongs] += task_similarity(one, vectors[other]) >= SAME_REQUEST
    return same[True] / max(counted[True], 1), same[True] / max(same.total(), 1)


def _seconds(vectors: Sequence[Vector]) -> dict[int, float]:
    """Processor time to arrange so many requests at once.

    The few are measured on every part of the many, half before and half after them: so a machine
    that is busy for a while slows both. So are the many, on parts of the most.
    """
    arriving = _arriving(MOST, vectors)
    firsts = arriving[:MANY]
    few = [firsts[start : start + FEW] for start in range(0, MANY, FEW)]
    spent_on_few = [_spent(part) for part in few[::2]]
    spent_on_many = [_spent(firsts)]
    spent_on_few += [_spent(part) for part in few[1::2]]
    spent_on_most = _spent(arriving)
    spent_on_many.append(_spent(arriving[-MANY:]))
    return {
        FEW: sum(spent_on_few) / len(spent_on_few),
        MANY: sum(spent_on_many) / len(spent_on_many),
        MOST: spent_on_most,
    }


def _spent(arriving: Sequence[Vector]) -> float:
    start = time.process_time()
    clustered(arriving, range(len(arriving)))
    return time.process_time() - start


def _arriving(size: int, vectors: Sequence[Vector]) -> list[Vector]:
    """The labelled ones over and over, each a little different.

    One in five is unlike anything else, as one-offs are.
    """
    import numpy as np

    drawn = np.random.default_rng(7)
    base = np.stack(vectors)
    picked = base[drawn.integers(len(base), size=size)]
    noise = drawn.standard_normal(picked.shape).astype(np.float32) / np.sqrt(picked.shape[1])
    lone = drawn.random(size) < 0.2
    several = np.where(lone[:, None], noise, picked + 0.3 * noise)
    several /= np.linalg.norm(several, axis=1, keepdims=True)
    return list(several.astype(np.float32))
