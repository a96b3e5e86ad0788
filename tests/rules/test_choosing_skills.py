"""Which skills are recommended: by fit, by what is proven, and each thing once."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.records.turn import FoundSkill
from hermes.rules.choosing_skills import RECOMMENDED, choose
from hermes.rules.rates import lower_bound
from hermes.testing import samples


def _found(name: str, relevance: float, **known: object) -> FoundSkill:
    proven = bool(known.pop("proven", False))
    skill = samples.skill(name=name, proven=proven)
    return FoundSkill(skill=skill, relevance=relevance, **known)  # type: ignore[arg-type]


def _vector(*values: float) -> bytes:
    return struct.pack(f"{len(values)}f", *values)


def _names(found: list[FoundSkill]) -> list[str]:
    return [one.found.skill.name for one in choose(found) if one.recommended]


def test_what_fits_better_comes_first() -> None:
    assert _names([_found("b", 0.5), _found("a", 0.9), _found("c", 0.6)]) == ["a", "c", "b"]


def test_among_what_fits_alike_the_proven_one_comes_first() -> None:
    many = _found("many", 0.8, successes=48, uses=50)
    lucky = _found("lucky", 0.8, successes=1, uses=1)
    bad = _found("bad", 0.8, successes=1, uses=10)
    replayed = _found("replayed", 0.8, proven=True)
    new = _found("new", 0.8)
    ordered = [one.found.skill.name for one in choose([bad, lucky, new, replayed, many])]
    assert ordered == ["many", "replayed", "new", "lucky", "bad"]


def test_the_reason_says_what_is_known() -> None:
    (used,) = choose([_found("a", 0.8, successes=9, uses=10)])
    assert used.why == "relevance 0.80; 9 of 10 uses went well, at least 60%"
    (new,) = choose([_found("a", 0.8)])
    assert new.why == "relevance 0.80; unproven"


def test_of_two_that_say_the_same_one_is_enough_and_the_record_says_which() -> None:
    same = _vector(1.0, 0.0)
    one = _found("one", 0.9, vector=same)
    twin = _found("twin", 0.8, vector=_vector(0.99, 0.14))
    other = _found("other", 0.7, vector=_vector(0.0, 1.0))
    unknown = _found("unknown", 0.6)
    choices = {choice.found.skill.name: choice for choice in choose([one, twin, other, unknown])}
    assert choices["twin"].why == "left out: says the same as one"
    assert not choices["twin"].recommended
    assert [name for name, choice in choices.items() if choice.recommended] == [
        "one",
        "other",
        "unknown",
    ]


def test_what_hardly_fits_is_not_recommended() -> None:
    assert _names([_found("far", 0.05)]) == []
    assert _names([_found("near", 1.0), _found("far", 0.3)]) == ["near"]
    assert choose([_found("far", 0.05)])[0].why.startswith("not recommended: relevance 0.05")


def test_no_more_than_a_few_are_recommended_and_all_are_returned() -> None:
    found = [_found(f"s{number}", 0.9 - number / 100) for number in range(12)]
    assert len(_names(found)) == RECOMMENDED
    assert len(choose(found)) == 12
    assert choose([]) == []


@given(st.integers(0, 500), st.integers(0, 500))
def test_a_lower_bound_is_below_the_rate_and_rises_with_evidence(good: int, bad: int) -> None:
    uses = good + bad
    bound = lower_bound(good, uses)
    assert 0.0 <= bound <= (good / uses if uses else 0.0) + 1e-9
    assert lower_bound(good + 1, uses + 1) >= bound


def test_a_rate_above_one_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="3 of 2 is no rate"):
        lower_bound(3, 2)
