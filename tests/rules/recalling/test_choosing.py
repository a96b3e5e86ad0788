"""What is shown of an ordered list."""

from __future__ import annotations

from hermes.rules.recalling.choosing import Choosing, says_the_same, shown_words, token_count
from hermes.rules.similarity.tokens import tokens


def _taken(choosing: Choosing, text: str) -> bool:
    return choosing.take(text, tokens(text))


def test_what_says_the_same_is_shown_once() -> None:
    choosing = Choosing(None)
    assert _taken(choosing, "The staging database listens on port 5433")
    assert not _taken(choosing, "the STAGING database listens on port 5433.")
    assert _taken(choosing, "The staging database listens on port 5434")
    assert choosing.near_duplicates == 1


def test_two_definitions_that_differ_in_a_word_are_two() -> None:
    choosing = Choosing(None)
    words = [f"word{letter}" for letter in "abcdefghijklmnopqrst"]
    assert choosing.take("one", [*words, "order"], defines=True)
    assert choosing.take("other", [*words, "invoice"], defines=True)
    assert not choosing.take("one again", [*words, "order"], defines=True)
    assert not choosing.take("a fact", [*words, "note"])


def test_the_budget_is_kept_and_a_shorter_one_still_fits() -> None:
    choosing = Choosing(10)
    assert _taken(choosing, "x" * 20)
    assert not _taken(choosing, "y" * 24)
    assert _taken(choosing, "z" * 20)
    assert choosing.over_budget == 1
    assert token_count("x" * 20) == 5
    assert token_count("x" * 21) == 6


def test_another_number_is_another_thing() -> None:
    many = frozenset(f"word{letter}" for letter in "abcdefghijklmnopqrst")
    assert says_the_same(many, many | {"more"})
    assert not says_the_same(many, many | {"81"})


def test_words_are_shown_as_they_were_asked() -> None:
    asked = {"stag": "Staging", "port": "port"}
    assert shown_words(["port", "other", "stag", "port"], asked) == ("port", "Staging")
