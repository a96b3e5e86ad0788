"""Examples → patterns: each example is placed once, and only what it changed is written again.

Reads: examples, the runs they were taken from, clusters, which skill was made from what. Writes:
clusters, patterns. Never: a rejected example into a pattern, nor one whose run is called a failure
since. Safe to repeat: an example that has its place keeps it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from hermes.ids import derived_id
from hermes.ports import (
    Clusters,
    Embedder,
    Examples,
    Observations,
    Patterns,
    Trajectories,
    Transactions,
)
from hermes.records.example import Example, ExampleStatus
from hermes.records.pattern import Pattern
from hermes.rules.actions.moves import moves_of
from hermes.rules.clustering.arranging import Arrangement
from hermes.rules.clustering.likeness import calibrated
from hermes.rules.clustering.profiles import Done, against, profiles, text_of, width
from hermes.rules.clustering.reasons import why
from hermes.rules.clustering.tool_profile import named_tools, tool_profile
from hermes.stages.extract.known import KnownRequests

if TYPE_CHECKING:
    from hermes.rules.clustering.profiles import Vector

R = TypeVar("R", Example, Pattern)

_LEAST = 2
"""A cluster of so many is told as a pattern; how many a draft needs is the setting's to say."""
_EXPLAINED, _RUNS_READ = 60, 12
"""Members that the reason is made from, and those whose runs are read for it; more say nothing
new."""
_AT_ONCE = 256
_BELONGS = 0.20
"""How alike a request must be to a pattern's members on average to be counted to it unplaced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternBook:
    """Places examples and keeps the patterns in step with them.

    `taught` says which skill was made from an example, for all of which one was made.
    """

    examples: Examples
    trajectories: Trajectories
    observations: Observations
    patterns: Patterns
    clusters: Clusters
    embedder: Embedder
    transactions: Transactions
    taught: Callable[[], Mapping[str, str]]
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
            taught = self.taught()
            written = [self._written(one, taught) for one in sorted(cluster_ids)]
        return [one for one in written if one is not None]

    def follow(self, example_id: str) -> Pattern | None:
        """Bring an example's pattern in step with what became of the example; that pattern."""
        placed = self.clusters.of(example_id)
        changed = self.refresh([placed[0]]) if placed is not None else ()
        return changed[0] if changed else None

    def pattern_of(self, example_id: str) -> Pattern | None:
        """The pattern an example belongs to; None for a one-off."""
        placed = self.clusters.of(example_id)
        return None if placed is None else self.patterns.get(placed[0])

    def nearest(self, requests: Sequence[Done]) -> list[str | None]:
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

    def _place(self, examples: Sequence[Example]) -> set[str]:
        asked = [(one.task, self._way(one)) for one in examples]
        made = profiles(asked, self.embedder.embed)
        changed: set[str] = set()
        with self.transactions.transaction():
            arrangement = self._arrangement()
            known = KnownRequests(self.clusters, self.taught())
            for one, vector in zip(examples, made, strict=True):
                new_id = derived_id("pattern", one.created_at, one.id)
                split_id = derived_id("pattern", one.created_at, one.id, "split")
                beside = known.cluster_of(vector)
                changed |= arrangement.place(one.id, vector, new_id, split_id, beside)
        return changed

    def _way(self, example: Example) -> tuple[str, ...]:
        """How it was done; by the names of its tools alone where the run is not there any more."""
        steps = self.trajectories.steps(example.trajectory_id) if example.trajectory_id else ()
        return tool_profile(moves_of(steps)) or named_tools(example.tools_used)

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

    def _written(self, cluster_id: str, taught: Mapping[str, str]) -> Pattern | None:
        members = self.clusters.members(cluster_id)
        kept = list(self._examples(members))
        if len(kept) < _LEAST:
            self.patterns.delete(cluster_id)
            return None
        middle, similarity = _middle([vector for _, vector in kept[:_EXPLAINED]])
        shown = [one for one, _ in kept[:_EXPLAINED]]
        ways = [self._way(one) for one in shown[:_RUNS_READ]]
        ids = tuple(one.id for one, _ in kept)
        before, now = self.patterns.get(cluster_id), self.now()
        pattern = Pattern(
            id=cluster_id,
            intent=shown[middle].task,
            example_ids=ids,
            reason=why([one.task for one in shown], ways, similarity) + _skills_of(ids, taught),
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
            if example is not None and self._is_good(example):
                yield example, np.frombuffer(vector, dtype=np.float32)

    def _is_good(self, example: Example) -> bool:
        """Not rejected, and its run not called a failure since it was kept."""
        if example.status is ExampleStatus.REJECTED:
            return False
        run = example.trajectory_id
        seen = self.observations.of_trajectory(run) if run is not None else None
        return seen is None or seen.success is not False


def _pages(page: Callable[[str, int], Sequence[R]]) -> Iterator[R]:
    after = ""
    while found := page(after, _AT_ONCE):
        yield from found
        after = found[-1].id


def _skills_of(example_ids: Sequence[str], taught: Mapping[str, str]) -> str:
    """Which skills were made from some of these: what the others add is an improvement of them."""
    counted = Counter(taught[one] for one in example_ids if one in taught)
    told = [f"; {times} of them taught the skill {name}" for name, times in counted.most_common()]
    new = len(example_ids) - counted.total()
    more = f", and {new} more {'asks' if new == 1 else 'ask'} for the same" if told and new else ""
    return "".join(told) + more


def _middle(vectors: Sequence[Vector]) -> tuple[int, float]:
    """Which one is nearest to all, and how alike what was asked is on average."""
    import numpy as np

    texts = np.stack([text_of(vector) for vector in vectors])
    similar = texts @ np.stack([against(text) for text in texts]).T
    np.fill_diagonal(similar, 0)
    means = similar.sum(axis=1) / (len(vectors) - 1)
    return int(np.argmax(means)), calibrated(float(means.mean()))
