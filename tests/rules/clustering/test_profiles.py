"""Signs count against where they differ, and nothing where they agree or one is silent."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest

from hermes.rules.clustering.likeness import SAME_REQUEST, calibrated, task_similarity
from hermes.rules.clustering.profiles import Done, against, profiles, width
from hermes.rules.clustering.reasons import why
from hermes.rules.clustering.signs import opposites


def blind(texts: Sequence[str]) -> list[bytes]:
    """An embedder to which all texts mean the same."""
    return [struct.pack("<4f", 1, 0, 0, 0) for _ in texts]


def alike(one: Done, other: Done) -> float:
    first, second = profiles([one, other], blind)
    return task_similarity(first, second)


def test_a_request_is_entirely_like_itself() -> None:
    request = ("remove duplicates from jan.csv", ("runs uniq",))
    assert alike(request, request) == pytest.approx(1.0)


def test_other_parameters_are_the_same_request() -> None:
    one = ("remove the duplicate rows from data/jan.csv", ())
    other = ("remove the duplicate rows from out/feb-2024.csv", ())
    assert alike(one, other) >= SAME_REQUEST


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("backup the database", ()), ("restore the database", ())),
        (("encode the table", ()), ("decode the table", ())),
        (("the table as json", ()), ("the table as xml", ())),
    ],
)
def test_signs_that_differ_count_against(
    one: tuple[str, Sequence[str]], other: tuple[str, Sequence[str]]
) -> None:
    silent = ("the thing", ())
    assert alike(one, other) < alike(one, one) - 0.01
    assert alike(one, silent) == alike(silent, one)


def test_a_request_that_names_both_sides_stands_on_none() -> None:
    assert opposites("merge the parts") == {at: -side for at, side in opposites("split it").items()}
    assert opposites("merge them, then split the result") == {}


def product(one: Done, other: Done) -> float:
    first, second = profiles([one, other], blind)
    return float(first @ against(second))


def test_what_was_done_alike_brings_nearer_and_the_text_stays_as_alike() -> None:
    one, same = ("tidy the table", ("runs uniq",)), ("clean up rows", ("runs uniq",))
    other = ("clean up rows", ("runs docker build",))
    assert product(one, same) > product(one, other) + 0.01
    assert alike(one, same) == pytest.approx(alike(one, other))


def test_a_rare_program_says_more_than_a_look_around() -> None:
    one = ("tidy it", ("runs csvsort", "runs ls"))
    shares_rare = ("clean up", ("runs cat", "runs csvsort"))
    shares_look = ("clean up", ("runs jq", "runs ls"))
    assert product(one, shares_rare) > product(one, shares_look)


def test_the_programs_are_embedded_with_the_request() -> None:
    seen: list[str] = []

    def embed(texts: Sequence[str]) -> list[bytes]:
        seen.extend(texts)
        return blind(texts)

    phrases = ("csv files", "imports pandas", "py files", "runs docker build", "runs ls")
    profiles([("sum jan.csv", phrases), ("sum it", ())], embed)
    assert seen[-2:] == ["sum jan.csv (pandas, docker build, csv)", "sum it"]


def test_a_vector_is_as_wide_as_was_said() -> None:
    (vector,) = profiles([("x", ())], blind)
    assert len(vector) == width(4)


def test_the_scale_rises_and_ends_at_one() -> None:
    values = [calibrated(step / 20) for step in range(-2, 22)]
    assert values == sorted(values)
    assert values[0] == 0.0
    assert values[-1] == 1.0


def test_a_reason_names_words_tools_and_likeness() -> None:
    texts = ["remove duplicates from a.csv", "drop the duplicates in b.csv", "duplicates: remove"]
    reason = why(texts, [("csv files", "runs csvsort"), ("runs csvsort", "runs ls"), ()], 0.83)
    assert reason == (
        "3 requests that share the words duplicates, remove, were done with csvsort, csv files"
        " and are 0.83 alike on average"
    )
