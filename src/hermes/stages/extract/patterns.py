"""Examples → patterns: each example is placed once, and only what it changed is written again.

Reads: examples, clusters. Writes: clusters, patterns. Never: a rejected example into a pattern.
Safe to repeat: an example that has its place keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from hermes.ids import derived_id
from hermes.ports import Clusters, Embedder, Examples, Patterns, Transactions
from hermes.records.example import Example, ExampleStatus
from hermes.records.pattern import Pattern
from hermes.rules.clustering.arranging import Arrangement
from hermes.rules.clustering.likeness import calibrated, task_similarity
from hermes.rules.clustering.profiles import against, profiles, width
from hermes.rules.clustering.reasons import why

if TYPE_CHECKING:
    from hermes.rules.clustering.profiles import Vector

R = TypeVar("R", Example, Pattern)

_LEAST = 2
"""A cluster of so many is told as a pattern; how many a draft needs is the setting's to say."""
_EXPLAINED = 60
"""Members that the reason is made from; more say nothing new."""
_AT_ONCE = 256
_BELONGS = 0.25
"""How alike a request must be to a pattern's members on average to be counted to it unplaced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternBook:
    """Places examples and keeps the patterns in step with them."""

    examples: Examples
    patterns: Patterns
    clusters: Clusters
    embedder: Embedder
    transactions: Transactions
    now: Callable[[], datetime]

    def place(self, examples: Iterable[Example]) -> Sequence[Pattern]:
        """Put each where it belongs; the patterns that changed, as they are now."""
        if self.clusters.drop_foreign():
            examples = self._all_anew()
        fresh = [
            one
            for one in examples
            if one.status is not ExampleStatus.REJECTED and self.clusters.of(one.id) is None
        ]
        changed: set[str] = set()
        for start in range(0, len(fresh), _AT_ONCE):
            changed |= self._place(fresh[start : start + _AT_ONCE])
        return self.refresh(changed)

    def refresh(self, cluster_ids: Iterable[str]) -> Sequence[Pattern]:
        """Write the patterns of these clusters again: after a change, or after a review."""
        with self.transactions.transaction():
            return [one for one in map(self._written, sorted(cluster_ids)) if one is not None]

    def pattern_of(self, example_id: str) -> Pattern | None:
        """The pattern an example belongs to; None for a one-off."""
        placed = self.clusters.of(example_id)
        return None if placed is None else self.patterns.get(placed[0])

    def nearest(self, requests: Sequence[tuple[str, Sequence[str]]]) -> list[str | None]:
        """The pattern that each request would belong to; None for what is like nothing here.

        Nothing is placed: so a failed run finds its pattern without becoming a member.
        """
        import numpy as np

        clusters = [one for one in self.clusters.all() if one[1] >= _LEAST]
        if not requests or not clusters:
            return [None] * len(requests)
        means = np.stack([np.frombuffer(total, np.float32) / size for _, size, total in clusters])
        found: list[str | None] = []
        for vector in profiles(requests, self.embedder.embed):
            alike = means @ against(vector)
            best = int(np.argmax(alike))
            found.append(clusters[best][0] if alike[best] >= _BELONGS else None)
        return found

    def likeness(self, example_id: str, other_ids: Sequence[str]) -> float:
        """How alike an example's request is to the nearest of others; 0.9 is the same request."""
        import numpy as np

        vectors = [
            np.frombuffer(placed[1], dtype=np.float32)
            for placed in map(self.clusters.of, (example_id, *other_ids))
            if placed is not None
        ]
        if len(vectors) < 2 or self.clusters.of(example_id) is None:
            return 0.0
        return max(task_similarity(vectors[0], other) for other in vectors[1:])

    def _place(self, examples: Sequence[Example]) -> set[str]:
        made = profiles([(one.task, one.tools_used) for one in examples], self.embedder.embed)
        changed: set[str] = set()
        with self.transactions.transaction():
            arrangement = self._arrangement()
            for one, vector in zip(examples, made, strict=True):
                new_id = derived_id("pattern", one.created_at, one.id)
                split_id = derived_id("pattern", one.created_at, one.id, "split")
                changed |= arrangement.place(one.id, vector, new_id, split_id)
        return changed

    def _arrangement(self) -> Arrangement:
        """As the store has it now: somebody else may have placed something meanwhile."""
        arrangement = Arrangement(self.clusters, width(self.embedder.dimensions))
        for cluster_id, size, total in self.clusters.all():
            arrangement.load(cluster_id, size, total)
        return arrangement

    def _all_anew(self) -> list[Example]:
        """Every example: vectors of another embedder say nothing about those of this one."""
        for pattern in list(_pages(self.patterns.page)):
            self.patterns.delete(pattern.id)
        return list(_pages(lambda after, limit: self.examples.page(None, after, limit)))

    def _written(self, cluster_id: str) -> Pattern | None:
        members = self.clusters.members(cluster_id)
        kept = list(self._examples(members))
        if len(kept) < _LEAST:
            self.patterns.delete(cluster_id)
            return None
        middle, similarity = _middle([vector for _, vector in kept[:_EXPLAINED]])
        shown = [one for one, _ in kept[:_EXPLAINED]]
        before, now = self.patterns.get(cluster_id), self.now()
        pattern = Pattern(
            id=cluster_id,
            intent=shown[middle].task,
            example_ids=tuple(one.id for one, _ in kept),
            reason=why([one.task for one in shown], [one.tools_used for one in shown], similarity),
            created_at=before.created_at if before else now,
            updated_at=now,
        )
        self.patterns.put(pattern)
        return pattern

    def _examples(self, members: Sequence[tuple[str, bytes]]) -> Iterator[tuple[Example, Vector]]:
        """Those that may be learned from."""
        import numpy as np

        for example_id, vector in members:
            example = self.examples.get(example_id)
            if example is not None and example.status is not ExampleStatus.REJECTED:
                yield example, np.frombuffer(vector, dtype=np.float32)


def _pages(page: Callable[[str, int], Sequence[R]]) -> Iterator[R]:
    after = ""
    while found := page(after, _AT_ONCE):
        yield from found
        after = found[-1].id


def _middle(vectors: Sequence[Vector]) -> tuple[int, float]:
    """Which one is nearest to all, and how alike they are on average."""
    import numpy as np

    stacked = np.stack(vectors)
    similar = stacked @ np.stack([against(vector) for vector in vectors]).T
    np.fill_diagonal(similar, 0)
    means = similar.sum(axis=1) / (len(vectors) - 1)
    return int(np.argmax(means)), calibrated(float(means.mean()))
