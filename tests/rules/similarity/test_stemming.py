"""Forms of one word share a stem; different words do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.rules.similarity.stemming import stem


@pytest.mark.parametrize(
    "forms",
    [
        "migrate migrates migrated migrating migration migrations",
        "validate validation validator validators validating",
        "query queries queried querying",
        "copy copies copied copying",
        "summarise summarize summarised summarizing summarization",
        "analyse analyze analysed analyzing analysis",
        "cache caches cached caching",
        "format formats formatted formatting",
        "embed embeds embedded embedding",
        "run runs running",
        "class classes",
        "branch branches branching",
        "document documents documented documentation",
        "log logs logged logging",
    ],
)
def test_forms_of_one_word_share_a_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    "words",
    ["speed spec", "string strong", "need new", "status state", "server serve", "docker dock"],
)
def test_different_words_keep_apart(words: str) -> None:
    one, other = words.split()
    assert stem(one) != stem(other)


@pytest.mark.parametrize("word", ["e1234", "naïve", "sql", "данные", "0x80070005", ""])
def test_what_is_no_english_word_is_its_own_stem(word: str) -> None:
    assert stem(word) == word


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", max_size=20))
def test_a_stem_is_never_empty_and_never_longer(word: str) -> None:
    assert len(stem(word)) <= len(word)
    assert bool(stem(word)) == bool(word)
