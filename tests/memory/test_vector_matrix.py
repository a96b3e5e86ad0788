"""Rows of vectors: what a rough look at many of them finds is what an exact one would."""

from __future__ import annotations

import numpy as np
import pytest

from hermes.memory.vector_matrix import COMPARED_WHOLE, Matrix, nearest_rows

DIMENSIONS = 96
MANY = 2 * COMPARED_WHOLE
CHANCE = np.random.default_rng(20261116)
CENTRES = CHANCE.normal(size=(40, DIMENSIONS))


def _unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


def _like_texts(count: int) -> np.ndarray:
    """Vectors in heaps, as the sentences of one house's notes are."""
    near = CENTRES[CHANCE.integers(len(CENTRES), size=count)]
    return _unit(near + 0.8 * CHANCE.normal(size=(count, DIMENSIONS)))


def _filled(rows: np.ndarray, first: int = 0) -> Matrix:
    matrix = Matrix(DIMENSIONS)
    pairs = ((first + at << 2 | at % 3, row.tobytes()) for at, row in enumerate(rows))
    assert matrix.put_all(pairs) == len(rows)
    return matrix


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    return _like_texts(MANY)


def test_a_rough_look_misses_next_to_nothing(rows: np.ndarray) -> None:
    halves = [_filled(rows[: MANY // 2]), _filled(rows[MANY // 2 :], first=MANY // 2)]
    missed = 0
    for query in _like_texts(20):
        found = nearest_rows(halves, query, 50)[0]
        right = np.argsort(-(rows @ query))[:50]
        missed += len({*right.tolist()} - {key >> 2 for key, _ in found})
        for key, cosine in found:
            assert cosine == pytest.approx(float(rows[key >> 2] @ query), abs=1e-5)
        assert [cosine for _, cosine in found] == sorted((c for _, c in found), reverse=True)
    assert missed <= 0.03 * 20 * 50


def test_only_the_kinds_that_were_asked_for(rows: np.ndarray) -> None:
    matrix = _filled(rows)
    found = nearest_rows([matrix], rows[3], 30, [1])[0]
    assert len(found) == 30
    assert {key & 3 for key, _ in found} == {1}
    assert nearest_rows([matrix], rows[3], 30, [3])[0] == []
    assert nearest_rows([], rows[3], 30)[0] == []


def test_what_is_dropped_leaves_nothing(rows: np.ndarray) -> None:
    matrix = _filled(rows)
    (gone, _), *_ = nearest_rows([matrix], rows[7], 1)[0]
    assert gone >> 2 == 7
    matrix.drop(gone)
    matrix.drop(gone)
    assert len(matrix) == MANY - 1
    assert gone not in dict(nearest_rows([matrix], rows[7], 50)[0])
    last = matrix.all_keys()[7]  # what was last took its place, and is found by its own vector
    assert nearest_rows([matrix], rows[last >> 2], 1)[0][0][0] == last
    assert matrix.rows([gone, last])[0] == [last]


def test_a_vector_may_be_replaced(rows: np.ndarray) -> None:
    matrix = _filled(rows)
    key = matrix.all_keys()[0]
    assert matrix.put_all([(key, rows[9].tobytes())]) == 1
    assert len(matrix) == MANY
    assert key in dict(nearest_rows([matrix], rows[9], 2)[0])
