"""Requests into clusters, one at a time: near-linear, and what belongs together stays together.

A new request is compared with the mean of each cluster, never with every request. It joins the
nearest that is near enough; a cluster that grew may merge with its neighbour or, if it turns out to
be two intents, be split. The larger keeps its id, in a merge (the older of two equals) and in a
split. So a member's cluster changes only when the evidence about its own neighbourhood does.

Products are taken row by row (`vecdot`): a matrix product of this size starts threads that cost
more than they do, ten times as much on a busy machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from hermes.rules.clustering.profiles import against
from hermes.rules.clustering.sketching import SKETCH_WIDTH, Sketch
from hermes.rules.clustering.splitting import SMALLEST_PART, two_parts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hermes.rules.clustering.profiles import Vector

    Rows = NDArray[np.intp]

_JOIN, _JOIN_SHARE, _JOIN_ALONE = 0.12, 0.42, 0.21
_MERGE, _MERGE_SHARE, _MERGE_ALONE = 0.15, 0.75, 0.15
"""How similar a request (join) or a cluster (merge) must be: by a fixed measure at least, and by a
share of how close the members are among themselves, as some intents are worded in many more ways
than others. Few members say less about an intent than many do: the last number is what two single
requests need on top, and it fades as clusters grow. Fitted on the `fit` half."""
_SMALL = 3
"""Up to so many members a cluster joins another; beyond, two intents would have to merge."""
_LOOKED_AT = 16
_FIRST_LOOK, _GROWTH = 6, 1.3
"""At which size a cluster is first looked at for two intents, and how much larger each time."""
_WORTH_MOVING = 0.035
"""By how much another cluster must fit a member better."""
_RESTLESS = 8
"""Up to so many members a cluster looks for another to be one with each time it grows."""
_SEATS = 8
"""Neighbouring clusters that are offered to a member."""
_SETTLED = 40
"""Members of a cluster beyond which they keep their seats: early mistakes are made early."""
_LARGEST_LOOK = 80
"""Beyond it a cluster has been looked at so often that it is one, and a look would cost much."""
_LONE_KEPT = 400
"""Single requests that a newcomer is compared with, the latest: what nobody asked for again while
so many others came stays the one-off that it is. So one more request costs the same, however many
were placed before."""
_NOBODY, _NO_ROOT = 1e3, 1e-6
"""A row that no cluster has is so far from all others: by the root of its size, nearly nothing."""


class Memberships(Protocol):
    """Who belongs where, kept by somebody else; vectors are float32 bytes."""

    def put(self, key: str, cluster_id: str, vector: bytes) -> None: ...
    def move(self, keys: Sequence[str], cluster_id: str) -> None: ...
    def members(self, cluster_id: str) -> Sequence[tuple[str, bytes]]: ...
    def save(self, cluster_id: str, size: int, total: bytes) -> None: ...
    def drop(self, cluster_id: str) -> None: ...


class Arrangement:
    """The clusters as sums of vectors. Not safe to share between threads."""

    def __init__(self, memberships: Memberships, vector_width: int) -> None:
        import numpy as np

        self._kept = memberships
        self._rows: dict[str, int] = {}
        self._ids: list[str | None] = []
        self._free: list[int] = []
        self._lone: dict[str, None] = {}
        self._totals = np.zeros((64, vector_width), dtype=np.float32)
        self._sizes = np.zeros(64, dtype=np.float32)
        self._within = np.zeros(64, dtype=np.float32)
        self._roots = np.full(64, _NO_ROOT, dtype=np.float32)
        self._sketch = Sketch(vector_width)
        self._sketches = np.zeros((64, SKETCH_WIDTH), dtype=np.float32)

    def load(self, cluster_id: str, size: int, total: bytes) -> None:
        """Take up a cluster that was saved."""
        import numpy as np

        self._set(cluster_id, size, np.frombuffer(total, dtype=np.float32))

    def __contains__(self, cluster_id: str) -> bool:
        return cluster_id in self._rows

    def place(
        self, key: str, vector: Vector, new_id: str, split_id: str, beside: str | None = None
    ) -> frozenset[str]:
        """Put a request where it belongs, or alone under `new_id`; the ids of what changed.

        `split_id` is for the part that leaves its cluster, should there be one. `beside` is the
        cluster that it is known to belong to, because the same was asked there before.
        """
        self._store(new_id, 1, vector)
        self._kept.put(key, new_id, vector.tobytes())
        changed = {new_id}
        current, merged = new_id, False
        if beside is not None and beside in self:
            current = self._merge(new_id, beside)
            changed |= {current, beside}
        while self._may_merge(current) and (neighbour := self._neighbour(current)) is not None:
            merged = merged or min(self._size(current), self._size(neighbour)) > 1
            current = self._merge(current, neighbour)
            changed |= {current, neighbour}
        size = self._size(current)
        if size in _LOOKS or (merged and size >= _FIRST_LOOK):
            changed |= self._split(current, split_id)
            for cluster_id in sorted(changed & self._rows.keys()):
                changed |= self._reseat(cluster_id)
        return frozenset(changed)

    def _may_merge(self, cluster_id: str) -> bool:
        """One more member hardly moves the mean of many: those look around now and then."""
        size = self._size(cluster_id)
        return size <= _RESTLESS or size in _LOOKS

    def _neighbour(self, cluster_id: str) -> str | None:
        """The cluster that this one belongs to, by the widest margin; None where it stands."""
        import numpy as np

        row, used = self._rows[cluster_id], len(self._ids)
        turned = against(self._totals[row] / self._sizes[row])
        needed = self._needed(row)
        rough = np.vecdot(self._sketches[:used], self._sketch.of(turned)) - needed
        rough[row] = -np.inf
        likely = np.argpartition(-rough, min(_LOOKED_AT, used - 1))[:_LOOKED_AT]
        likely = likely[rough[likely] > -_NOBODY]
        if not len(likely):
            return None
        exact = np.vecdot(self._totals[likely], turned) / self._sizes[likely] - needed[likely]
        best = int(np.argmax(exact))
        return self._ids[int(likely[best])] if exact[best] >= 0 else None

    def _needed(self, row: int) -> NDArray[np.float32]:
        """How similar each cluster must be to this one, to be one with it.

        By a share of how close their members are among themselves, the geometric mean of both: a
        loose cluster must not swallow a close one because it is loose. A single request says
        nothing about it: then it is the other's; of two singles none.
        """
        import numpy as np

        used = len(self._ids)
        sizes, within, own = self._sizes[:used], self._within[:used], self._within[row]
        alone = 1 / (self._roots[:used] * self._roots[row])
        close = within if sizes[row] < 2 else np.where(sizes < 2, own, np.sqrt(within * own))
        needed: NDArray[np.float32] = np.maximum(_JOIN, _JOIN_SHARE * close) + _JOIN_ALONE * alone
        if sizes[row] > _SMALL:
            merge = np.maximum(_MERGE, _MERGE_SHARE * close) + _MERGE_ALONE * alone
            needed = np.where(sizes <= _SMALL, needed, merge)
        return needed

    def _merge(self, one: str, other: str) -> str:
        """The larger keeps its id: a log that is read late must not rename what is known."""
        stays, goes = sorted((one, other), key=lambda known: (-self._size(known), known))
        self._kept.move([key for key, _ in self._kept.members(goes)], stays)
        size = self._size(stays) + self._size(goes)
        self._store(stays, size, self._total(stays) + self._total(goes))
        self._forget(goes)
        return stays

    def _split(self, cluster_id: str, new_id: str) -> set[str]:
        import numpy as np

        if self._size(cluster_id) > _LARGEST_LOOK:
            return set()
        members = self._kept.members(cluster_id)
        vectors = np.stack([np.frombuffer(vector, dtype=np.float32) for _, vector in members])
        part = two_parts(np.stack([np.vecdot(vectors, against(vector)) for vector in vectors]))
        if part is None:
            return set()
        smaller = part if part.sum() <= len(part) / 2 else ~part
        keys = [key for (key, _), goes in zip(members, smaller, strict=True) if goes]
        self._store(new_id, len(keys), vectors[smaller].sum(axis=0))
        self._kept.move(keys, new_id)
        self._store(cluster_id, len(members) - len(keys), vectors[~smaller].sum(axis=0))
        return {new_id, cluster_id}

    def _reseat(self, cluster_id: str) -> set[str]:
        """Let members go over to a cluster they fit better; the ids of what changed."""
        import numpy as np

        members = self._kept.members(cluster_id) if self._size(cluster_id) <= _SETTLED else ()
        if len(members) < _FIRST_LOOK:
            return set()
        vectors = [np.frombuffer(stored, dtype=np.float32) for _, stored in members]
        changed: set[str] = set()
        seats = self._likely_seats(cluster_id, self._total(cluster_id))
        for (key, _), vector in zip(members, vectors, strict=True):
            size = self._size(cluster_id)
            own = (vector @ against(self._total(cluster_id) - vector)) / (size - 1)
            better = self._better_seat(vector, seats, float(own) + _WORTH_MOVING)
            if better is None or size <= SMALLEST_PART:
                continue
            self._store(cluster_id, size - 1, self._total(cluster_id) - vector)
            self._store(better, self._size(better) + 1, self._total(better) + vector)
            self._kept.move([key], better)
            changed |= {cluster_id, better}
        return changed

    def _likely_seats(self, cluster_id: str, total: Vector) -> Rows:
        """The clusters of several that lie nearest to this one: its members look nowhere else."""
        import numpy as np

        rows = np.flatnonzero(self._sizes[: len(self._ids)] >= SMALLEST_PART)
        rows = rows[rows != self._rows[cluster_id]]
        rough = np.vecdot(self._sketches[rows], self._sketch.of(against(total)))
        likely: Rows = rows[np.argsort(-rough)[:_SEATS]]
        return likely

    def _better_seat(self, vector: Vector, seats: Rows, least: float) -> str | None:
        """The one among these whose members are at least so similar on average."""
        import numpy as np

        if not len(seats):
            return None
        exact = np.vecdot(self._totals[seats], against(vector)) / self._sizes[seats]
        best = int(np.argmax(exact))
        return self._ids[int(seats[best])] if exact[best] >= least else None

    def _size(self, cluster_id: str) -> int:
        return int(self._sizes[self._rows[cluster_id]])

    def _total(self, cluster_id: str) -> Vector:
        total: Vector = self._totals[self._rows[cluster_id]]
        return total

    def _store(self, cluster_id: str, size: int, total: Vector) -> None:
        self._set(cluster_id, size, total)
        self._kept.save(cluster_id, size, total.astype("<f4").tobytes())

    def _set(self, cluster_id: str, size: int, total: Vector) -> None:
        import numpy as np

        row = self._rows.get(cluster_id)
        if row is None:
            row = self._rows[cluster_id] = self._new_row()
            self._ids[row] = cluster_id
        self._totals[row] = total
        self._sizes[row] = size
        self._roots[row] = size**0.5
        self._within[row] = max(_mean_within(total, size), 0) if size > 1 else 0
        self._sketches[row] = self._sketch.of(total / np.float32(size))
        if size > 1:
            self._lone.pop(cluster_id, None)
            return
        self._lone[cluster_id] = None
        if len(self._lone) > _LONE_KEPT:
            self._leave(next(iter(self._lone)))

    def _new_row(self) -> int:
        import numpy as np

        if self._free:
            return self._free.pop()
        self._ids.append(None)
        if len(self._ids) > len(self._sizes):
            self._totals, self._sizes = _doubled(self._totals), _doubled(self._sizes)
            self._within, self._sketches = _doubled(self._within), _doubled(self._sketches)
            self._roots = np.concatenate([self._roots, np.full_like(self._roots, _NO_ROOT)])
        return len(self._ids) - 1

    def _forget(self, cluster_id: str) -> None:
        self._leave(cluster_id)
        self._kept.drop(cluster_id)

    def _leave(self, cluster_id: str) -> None:
        """Nothing is compared with it any more."""
        row = self._rows.pop(cluster_id)
        self._ids[row] = None
        self._free.append(row)
        self._lone.pop(cluster_id, None)
        self._sizes[row] = 0
        self._roots[row] = _NO_ROOT


def _mean_within(total: Vector, size: int) -> float:
    """The mean similarity of a cluster's members to each other; each is entirely like itself."""
    return (float(total @ against(total)) - size) / (size * (size - 1))


def _doubled(table: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    return np.concatenate([table, np.zeros_like(table)])


def _look_sizes() -> frozenset[int]:
    sizes, size = set(), _FIRST_LOOK
    while size < 1_000_000:
        sizes.add(size)
        size = int(size * _GROWTH) + 1
    return frozenset(sizes)


_LOOKS = _look_sizes()
