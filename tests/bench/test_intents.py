"""The labelled requests are as many and as varied as the report claims; the figures are right."""

from __future__ import annotations

from collections import Counter

import numpy as np

from hermes.bench.intents import HALVES, _score, clustered, labelled_requests
from hermes.bench.ways import Asked, drawn_profile


def test_the_set_is_large_enough_and_no_request_comes_twice() -> None:
    requests = labelled_requests()
    intents = Counter((one.half, one.intent) for one in requests if one.intent)
    assert len(intents) >= 20
    assert min(intents.values()) >= 15
    for half in HALVES:
        assert len([intent for where, intent in intents if where == half]) >= 14
        assert sum(one.half == half and not one.intent for one in requests) >= 60
    assert len({one.text for one in requests}) == len(requests)


def test_a_perfect_and_a_mixed_arrangement_are_told_apart() -> None:
    labels = ["a", "a", "a", "b", "b", "b", "one-off 6"]
    assert _score([[0, 1, 2], [3, 4, 5]], labels) == (2.0, 1.0, 1.0, 1.0, 0.0)
    patterns, precision, recall, purity, leaked = _score([[0, 1, 3, 6]], labels)
    assert (patterns, precision, recall, purity, leaked) == (1.0, 1 / 6, 1 / 6, 0.5, 1.0)


def test_fewer_than_three_are_no_pattern() -> None:
    apart = [np.eye(60, dtype=np.float32)[at] for at in (0, 0, 1, 1, 1)]
    assert sorted(map(len, clustered(apart, range(5)))) == [3]


def test_each_request_has_a_profile_and_always_the_same() -> None:
    asked = Asked(kind="dedupe-csv", like="merge-csv", number=3)
    assert drawn_profile(asked) == drawn_profile(asked)
    done = [one.done for one in labelled_requests()]
    assert sum(map(bool, done)) > 0.9 * len(done)


def test_a_profile_is_no_label_in_disguise() -> None:
    """Requests of one intent are done in several ways, and every usual way serves other intents."""
    ways: dict[str, set[str]] = {}
    for one in labelled_requests():
        if one.intent:
            ways.setdefault(one.intent, set()).update(one.done)
    shared = Counter(phrase for phrases in ways.values() for phrase in phrases)
    for intent, phrases in ways.items():
        own = [one.done for one in labelled_requests() if one.intent == intent]
        always = set.intersection(*map(set, own))
        assert all(shared[phrase] > 3 for phrase in always), f"{always} says {intent}"
        assert sum(shared[phrase] > 1 for phrase in phrases) > len(phrases) / 3
