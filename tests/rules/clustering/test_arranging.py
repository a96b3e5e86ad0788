"""Requests find their cluster, in any order, and stay there."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from hermes.bench.intents import InMemory
from hermes.rules.clustering.arranging import Arrangement
from hermes.rules.clustering.profiles import width
from hermes.rules.clustering.splitting import two_parts

Vectors = list[NDArray[np.float32]]
WIDE = width(8)


def about(topic: int, count: int, *, near: float = 0.8, seed: int = 0) -> Vectors:
    """Vectors that agree in one direction and differ in all others."""
    drawn = np.random.default_rng([topic, seed])
    made = []
    for _ in range(count):
        own = drawn.standard_normal(WIDE - 3)
        own[:20] = 0
        vector = np.zeros(WIDE, dtype=np.float32)
        vector[: WIDE - 3] = own / np.linalg.norm(own) * np.sqrt(1 - near)
        vector[topic] += np.sqrt(near)
        made.append(vector)
    return made


def arranged(vectors: Vectors, order: list[int]) -> InMemory:
    kept = InMemory()
    arrangement = Arrangement(kept, WIDE)
    for count, at in enumerate(order):
        arrangement.place(f"e{at}", vectors[at], f"c{count:04}", f"c{count:04}s")
    return kept


def groups(kept: InMemory) -> set[frozenset[str]]:
    return {frozenset(members) for members in kept.clusters.values()}


@pytest.mark.parametrize("seed", range(5))
def test_each_intent_is_one_cluster_whatever_comes_first(seed: int) -> None:
    vectors = [*about(0, 8), *about(1, 8), *about(2, 8)]
    order = list(np.random.default_rng(seed).permutation(len(vectors)))
    expected = {frozenset(f"e{at}" for at in range(start, start + 8)) for start in (0, 8, 16)}
    assert groups(arranged(vectors, order)) == expected


def test_one_offs_stay_alone() -> None:
    vectors = [*about(0, 5), *(about(topic, 1)[0] for topic in range(3, 12))]
    sizes = sorted(len(members) for members in arranged(vectors, [*range(14)]).clusters.values())
    assert sizes == [1] * 9 + [5]


def test_a_newcomer_changes_no_other_cluster() -> None:
    vectors = [*about(0, 6), *about(1, 6)]
    before = groups(arranged(vectors, [*range(11)]))
    after = groups(arranged(vectors, [*range(12)]))
    assert len(before & after) == 1
    assert before - after < after | {frozenset(f"e{at}" for at in range(6, 11))}


def test_the_older_cluster_keeps_its_id() -> None:
    kept = arranged([*about(0, 4), *about(1, 4)], [0, 4, 1, 5, 2, 6, 3, 7])
    assert sorted(kept.clusters) == ["c0000", "c0001"]


def test_a_request_that_sorts_first_but_comes_late_takes_no_id() -> None:
    """An old log that is read late has an older id than the cluster it joins."""
    vectors, kept = about(0, 4), InMemory()
    arrangement = Arrangement(kept, WIDE)
    for at, new_id in enumerate(("c2", "c3", "c4", "c1")):
        arrangement.place(f"e{at}", vectors[at], new_id, f"{new_id}s")
    assert {name: len(members) for name, members in kept.clusters.items()} == {"c2": 4}


def test_two_intents_taken_for_one_are_split() -> None:
    """They were one cluster while they were few; at the next look they are two."""
    left, right = about(0, 5), about(1, 3)
    kept = InMemory()
    arrangement = Arrangement(kept, WIDE)
    mixed = [*left[:4], *right]
    for at, vector in enumerate(mixed):
        kept.put(f"e{at}", "c0000", vector.tobytes())
    arrangement.load("c0000", 7, np.sum(mixed, axis=0).astype(np.float32).tobytes())
    changed = arrangement.place("e7", left[4], "c0007", "c0007s")
    assert changed >= {"c0000", "c0007s"}
    assert groups(kept) == {
        frozenset({"e0", "e1", "e2", "e3", "e7"}),
        frozenset({"e4", "e5", "e6"}),
    }
    assert len(kept.clusters["c0000"]) == 5  # the larger part keeps the id


def test_a_member_goes_over_to_a_cluster_that_came_later_and_fits_better() -> None:
    left, right = about(0, 6), about(1, 3)
    stray = (0.55 * left[5] + 0.8 * right[2]).astype(np.float32)
    vectors = [*left[:5], stray, *right]
    kept = arranged(vectors, [0, 1, 5, 6, 7, 8, 2, 3, 4])
    assert "e5" in next(members for members in kept.clusters.values() if "e6" in members)


def test_two_blocks_are_two_parts_and_one_block_is_one() -> None:
    apart = np.kron(np.eye(2), np.full((4, 4), 0.6)).astype(np.float32)
    np.fill_diagonal(apart, 1.0)
    part = two_parts(apart)
    assert part is not None
    assert part.tolist() in ([True] * 4 + [False] * 4, [False] * 4 + [True] * 4)
    one = np.full((8, 8), 0.6, dtype=np.float32)
    assert two_parts(one) is None
    assert two_parts(apart[:6, :6]) is None  # two members are too few to be a part


def test_what_was_saved_is_taken_up_again() -> None:
    vectors = about(0, 6)
    kept = InMemory()
    first = Arrangement(kept, WIDE)
    total = np.zeros(WIDE, dtype=np.float32)
    for at in range(5):
        first.place(f"e{at}", vectors[at], f"c{at:04}", f"c{at:04}s")
        total += vectors[at]
    second = Arrangement(kept, WIDE)
    second.load("c0000", 5, total.tobytes())
    assert second.place("e5", vectors[5], "c0005", "c0005s") >= {"c0000"}
    assert len(kept.clusters["c0000"]) == 6


def test_pairs_of_one_topic_are_as_similar_as_meant() -> None:
    similar = [float(one @ other) for one, other in combinations(about(0, 5), 2)]
    assert min(similar) > 0.6


def test_parts_are_judged_by_how_close_each_is_in_itself() -> None:
    def blocks(across: float) -> NDArray[np.float32]:
        similar = np.where(np.kron(np.eye(2), np.ones((8, 8))) > 0, 0.8, across)
        np.fill_diagonal(similar, 1.0)
        return similar.astype(np.float32)

    assert two_parts(blocks(0.4)) is not None
    assert two_parts(blocks(0.6)) is None


def test_close_clusters_with_a_common_theme_are_not_touched_by_each_other() -> None:
    """They are 0.4 alike, enough for loose intents, and each is 0.8 alike in itself."""
    theme = np.eye(WIDE, dtype=np.float32)[19] * np.float32(0.9)
    close = [*about(0, 5, near=0.9), *about(1, 4, near=0.9)]
    left_to_come, *vectors = [np.float32(0.5**0.5) * (one + theme) for one in close]
    kept = InMemory()
    arrangement = Arrangement(kept, WIDE)
    for name, members in (("c0", vectors[:4]), ("c1", vectors[4:])):
        for at, vector in enumerate(members):
            kept.put(f"{name}e{at}", name, vector.tobytes())
        arrangement.load(name, 4, np.sum(members, axis=0).astype(np.float32).tobytes())
    assert arrangement.place("new", left_to_come, "c2", "c2s") == {"c0", "c2"}


def test_what_asks_for_the_same_is_put_beside_it_however_far_the_others_are() -> None:
    far = [*about(0, 4), about(1, 1)[0]]
    kept = arranged(far, [*range(4)])
    arrangement = Arrangement(kept, WIDE)
    arrangement.load("c0000", 4, np.sum(far[:4], axis=0).astype(np.float32).tobytes())
    arrangement.place("e4", far[4], "c0004", "c0004s", beside="c0000")
    assert set(kept.clusters["c0000"]) == {"e0", "e1", "e2", "e3", "e4"}
    arrangement.place("e5", far[4], "c0005", "c0005s", beside="c_nothing")  # it was merged away
    assert "e5" in {key for members in kept.clusters.values() for key in members}


def test_a_loose_cluster_does_not_swallow_a_close_one() -> None:
    """They are 0.3 alike, as much as the loose one is in itself; the close one is 0.8."""
    loose = about(19, 6, near=0.3)
    own = about(1, 5, near=0.6)
    theme = np.eye(WIDE, dtype=np.float32)[19] * np.float32(0.548)
    close = [one + theme for one in np.float32(0.837) * np.stack(own) / np.float32(0.9)]
    kept = InMemory()
    arrangement = Arrangement(kept, WIDE)
    for name, members in (("c0", loose[:5]), ("c1", close)):
        for at, vector in enumerate(members):
            kept.put(f"{name}e{at}", name, vector.tobytes())
        arrangement.load(name, 5, np.sum(members, axis=0).astype(np.float32).tobytes())
    assert "c1" not in arrangement.place("new", loose[5], "c2", "c2s")


def test_one_intent_leaves_a_cluster_of_many() -> None:
    """The two members that are least alike lie both in the rest."""
    similar = np.full((14, 14), 0.35, dtype=np.float32)
    similar[0, 1] = similar[1, 0] = 0.0
    similar[10:, :10] = similar[:10, 10:] = 0.25
    similar[10:, :2] = similar[:2, 10:] = 0.2
    similar[10:, 10:] = 0.8
    np.fill_diagonal(similar, 1.0)
    part = two_parts(similar)
    assert part is not None
    assert part.tolist() in ([True] * 10 + [False] * 4, [False] * 10 + [True] * 4)


def test_of_single_requests_only_the_latest_are_compared() -> None:
    """So the cost of one more does not grow with how many one-offs there are."""
    drawn = np.random.default_rng(5)
    lone = drawn.standard_normal((700, WIDE)).astype(np.float32)
    lone[:, -3:] = 0
    lone /= np.linalg.norm(lone, axis=1, keepdims=True)
    kept = InMemory()
    arrangement = Arrangement(kept, WIDE)
    for at, vector in enumerate(lone):
        arrangement.place(f"e{at}", vector, f"c{at:04}", f"c{at:04}s")
    assert len(kept.clusters) == 700
    assert "c0000" not in arrangement
    assert "c0699" in arrangement
    arrangement.place("late", lone[699], "c0700", "c0700s")
    assert set(kept.clusters["c0699"]) == {"e699", "late"}
