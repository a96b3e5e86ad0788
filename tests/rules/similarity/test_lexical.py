"""The index gives BM25 exactly, and stays exact while texts come and go."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.rules.similarity.bm25 import LENGTH_PENALTY, SATURATION
from hermes.rules.similarity.lexical import LexicalIndex

Texts = dict[str, list[str]]
WORDS = ("alpha", "beta", "gamma", "delta", "omega")


def indexed(texts: Texts) -> LexicalIndex:
    index = LexicalIndex()
    for key, words in texts.items():
        index.add(key, [(" ".join(words), 1.0)])
    return index


def reference(texts: Texts, key: str, query: list[str]) -> float:
    """BM25 as a textbook has it, over all texts each time."""
    mean = max(sum(map(len, texts.values())) / len(texts), 1.0)
    score = 0.0
    for word in dict.fromkeys(query):
        containing = sum(word in words for words in texts.values())
        rarity = math.log(1 + (len(texts) - containing + 0.5) / (containing + 0.5))
        occurrences = texts[key].count(word)
        length = 1 - LENGTH_PENALTY + LENGTH_PENALTY * len(texts[key]) / mean
        score += rarity * occurrences * (SATURATION + 1) / (occurrences + SATURATION * length)
    return score


texts_of = st.dictionaries(
    st.sampled_from("abcdefgh"), st.lists(st.sampled_from(WORDS), max_size=8), min_size=1
)
steps = st.lists(
    st.tuples(
        st.sampled_from("abcdefgh"), st.lists(st.sampled_from(WORDS), max_size=8) | st.none()
    ),
    max_size=30,
)


@given(texts_of, st.lists(st.sampled_from((*WORDS, "unknown")), min_size=1, max_size=4))
def test_scores_are_bm25(texts: Texts, query: list[str]) -> None:
    index = indexed(texts)
    scores = index.scores(" ".join(query)).by_slot
    for key in texts:
        assert scores[index.slot_of(key)] == pytest.approx(reference(texts, key, query), rel=1e-4)


@given(steps)
def test_after_any_changes_it_is_as_if_built_anew(
    changes: list[tuple[str, list[str] | None]],
) -> None:
    index, texts = LexicalIndex(), dict[str, list[str]]()
    for key, words in changes:
        if words is not None:
            index.add(key, [(" ".join(words), 1.0)])
            texts[key] = words
        elif key in texts:
            index.remove(key)
            del texts[key]
    fresh = indexed(texts)
    assert len(index) == len(texts)
    for query in WORDS:
        assert index.search(query, 99) == [
            (key, pytest.approx(score, rel=1e-5)) for key, score in fresh.search(query, 99)
        ]


def test_a_text_keeps_its_slot_when_it_changes() -> None:
    index = indexed({"a": ["alpha"], "b": ["beta"], "c": ["gamma"]})
    slot = index.slot_of("b")
    assert index.add("b", [("omega", 1.0)]) == slot
    assert index.search("beta", 5) == []
    assert [key for key, _ in index.search("omega", 5)] == ["b"]


def test_a_slot_is_used_again() -> None:
    index = indexed({"a": ["alpha"], "b": ["beta"]})
    index.remove("a")
    index.add("c", [("gamma", 1.0)])
    assert index.slots == 2
    assert index.key_at(index.slot_of("c")) == "c"


def test_a_weighty_field_counts_more() -> None:
    index = LexicalIndex()
    index.add("in-name", [("docker", 2.0), ("build images", 1.0)])
    index.add("in-text", [("images", 2.0), ("build docker", 1.0)])
    assert [key for key, _ in index.search("docker", 2)] == ["in-name", "in-text"]


def test_equal_scores_come_in_the_order_of_their_keys() -> None:
    index = indexed({key: ["alpha"] for key in ("c", "a", "d", "b")})
    assert [key for key, _ in index.search("alpha", 4)] == ["a", "b", "c", "d"]


def test_nothing_matches_nothing() -> None:
    assert LexicalIndex().search("alpha", 5) == []
    index = indexed({"a": ["alpha"]})
    assert index.search("", 5) == index.search("omega", 5) == index.search("alpha", 0) == []


def test_the_ceiling_counts_words_nobody_has_but_not_a_whole_essay() -> None:
    index = indexed({"a": ["alpha"], "b": ["beta"]})
    alone = index.scores("alpha").ceiling
    assert index.scores("alpha unheard").ceiling > alone
    essay = index.scores(" ".join(f"word{number}" for number in range(100))).ceiling
    assert essay == pytest.approx(index.scores("un deux trois quatre cinq six").ceiling)


def corpus(count: int) -> LexicalIndex:
    index = LexicalIndex()
    for number in range(count):
        words = (f"w{chr(97 + number % 26)}{chr(97 + (number * at) % 23)}x" for at in range(40))
        index.add(str(number), [(" ".join(words), 1.0)])
    return index


def quickest_ms(act: object, times: int = 9) -> float:
    assert callable(act)
    spent = []
    for _ in range(times):
        begun = time.process_time()
        act()
        spent.append(time.process_time() - begun)
    return 1000 * min(spent)


def test_searching_five_thousand_texts_takes_less_than_three_milliseconds() -> None:
    index = corpus(5_000)
    query = "wax wbx wcx wdx wex wfx wgx whx wabx wacx"
    assert quickest_ms(lambda: index.search(query, 20)) < 3


def test_changing_a_text_costs_the_same_in_a_large_index() -> None:
    def replace_some(index: LexicalIndex) -> None:
        for number in range(100):
            index.add(str(number), [(" ".join(f"w{chr(97 + at % 26)}ax" for at in range(40)), 1.0)])

    small, large = corpus(200), corpus(10_000)
    assert quickest_ms(lambda: replace_some(large)) < 8 * quickest_ms(lambda: replace_some(small))
