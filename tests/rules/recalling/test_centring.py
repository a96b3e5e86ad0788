"""Cosines as seen from the middle of what is near."""

from __future__ import annotations

import numpy as np
import pytest

from hermes.rules.recalling.centring import centre_of, cosines_from, seen_from


def _unit(*numbers: float) -> list[float]:
    row = np.array(numbers)
    return [float(number) for number in row / np.linalg.norm(row)]


def test_what_all_share_counts_less() -> None:
    """All name the service (first axis); one also says what is asked (second axis)."""
    rows = np.array([_unit(3, 0.2, 1), _unit(3, 1, 0.2), _unit(4, 0, 0.1)], dtype=np.float32)
    query = np.array(_unit(3, 1, 0), dtype=np.float32)
    plain = cosines_from(rows, query, None)
    centre = centre_of(rows.mean(axis=0).tobytes(), 0.9)
    seen = cosines_from(rows, query, centre)
    assert plain.argmax() == seen.argmax() == 1
    assert seen[1] - np.sort(seen)[-2] > plain[1] - np.sort(plain)[-2]


def test_from_nowhere_nothing_changes() -> None:
    rows = np.array([_unit(1, 2), _unit(2, 1)], dtype=np.float32)
    query = np.array(_unit(1, 1), dtype=np.float32)
    nowhere = centre_of(rows.mean(axis=0).tobytes(), 0.0)
    assert nowhere is None
    assert cosines_from(rows, query, nowhere) == pytest.approx(cosines_from(rows, query, None))


def test_those_that_are_not_alike_have_no_centre() -> None:
    alike, mixed, unlike = (np.array([length, 0], dtype=np.float32) for length in (0.9, 0.5, 0.3))
    assert centre_of(unlike.tobytes(), 0.5) is None
    assert centre_of(alike.tobytes(), 0.5) == (alike * np.float32(0.5)).tobytes()
    part = centre_of(mixed.tobytes(), 0.5)
    assert part is not None
    assert 0 < np.frombuffer(part, dtype=np.float32)[0] < 0.25


def test_the_centre_itself_is_near_nothing() -> None:
    rows = np.array([_unit(1, 0)], dtype=np.float32)
    seen = cosines_from(rows, np.array([0, 1], dtype=np.float32), rows[0].tobytes())
    assert seen == pytest.approx([0.0])


def test_without_rows_there_is_nothing_to_compare() -> None:
    empty = np.zeros((0, 2), dtype=np.float32)
    assert len(cosines_from(empty, np.array([0, 1], dtype=np.float32), None)) == 0


def test_what_is_known_of_unit_vectors_is_enough_to_look_from_a_centre() -> None:
    chance = np.random.default_rng(7)
    rows = (chance.normal(size=(30, 12)) + 1.0).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    query, mean = rows[4], rows[5:].mean(axis=0)
    centre = centre_of(mean.tobytes(), 0.6)
    assert centre is not None
    seen = seen_from(
        (rows @ query).tolist(), (rows @ mean).tolist(), query.tobytes(), mean.tobytes(), centre
    )
    assert seen == pytest.approx(cosines_from(rows, query, centre).tolist(), abs=1e-5)
    assert seen != pytest.approx(cosines_from(rows, query, None).tolist(), abs=1e-2)
