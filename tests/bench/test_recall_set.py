"""The labelled recall set is sound: large, varied, consistent, split by topic."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random

import pytest

from hermes.bench.recall_set.conversations import conversations
from hermes.bench.recall_set.labelled import NOW, Asked, Half, LabelledSet, shared_words
from hermes.bench.recall_set.talks import talks as long_talks
from hermes.bench.recall_set.times import moments
from hermes.bench.recall_set.tools import tools
from hermes.bench.recall_set.work_memory import stale_clutter, work_memory
from hermes.bench.remembered_set import Answer
from hermes.bench.retrieval_memory import measure, recall_set, rows_of
from hermes.records.memory import MemoryKind
from hermes.rules.recalling.dates import spans
from hermes.testing.topic_embedder import TopicEmbedder


@pytest.fixture(scope="module")
def work() -> LabelledSet:
    return work_memory()


@pytest.fixture(scope="module")
def talks() -> LabelledSet:
    return conversations()


def test_the_set_is_large_and_has_every_class_in_both_halves(
    work: LabelledSet, talks: LabelledSet
) -> None:
    assert len(work.memories) >= 3_000
    assert len(work.questions) >= 300
    assert {memory.kind for memory in work.memories} == set(MemoryKind)
    assert len({memory.scope for memory in work.memories}) >= 8
    counts = Counter((one.half, one.asked) for one in recall_set().questions)
    assert set(counts) == {(half, asked) for half in Half for asked in Asked}
    assert min(counts.values()) >= 15


def test_the_conversations_are_long_enough(talks: LabelledSet) -> None:
    turns = Counter(memory.session_id for memory in talks.memories)
    speakers = defaultdict(set)
    for memory in talks.memories:
        speakers[memory.session_id].add(memory.text.partition(":")[0])
    assert len(turns) >= 60
    assert min(turns.values()) >= 15
    assert min(map(len, speakers.values())) >= 2
    assert len(talks.questions) >= 150


def test_the_long_talks_are_as_people_talk() -> None:
    told = long_talks()
    scopes = Counter(memory.scope for memory in told.memories)
    assert min(scopes.values()) >= 100
    words = [len(memory.text.split()) for memory in told.memories]
    assert 10 <= sum(words) / len(words) <= 40
    assert max(len(one.expects) for one in told.questions) >= 4
    for half in Half:
        assert sum(one.half is half for one in told.questions) >= 50


def test_functions_come_in_several_notations_and_are_asked_for_in_plain_words() -> None:
    made = tools()
    assert len(made.memories) >= 60
    assert len(made.questions) >= 120
    texts = [memory.text for memory in made.memories]
    assert sum(text.startswith("{") for text in texts) >= 15
    assert sum("\n" in text for text in texts) >= 15
    assert sum(" Parameters: " in text for text in texts) >= 15
    assert not any(name in one.text for one in made.questions for name in one.expects)


def test_every_answer_is_there_and_may_be_seen(work: LabelledSet, talks: LabelledSet) -> None:
    for labelled in (work, talks, long_talks(), tools()):
        memories = {memory.id: memory for memory in labelled.memories}
        assert len(memories) == len(labelled.memories)
        for one in labelled.questions:
            assert bool(one.expects) == (one.asked is not Asked.NEGATIVE)
            assert {memories[expected].scope for expected in one.expects} <= set(one.scopes)
            assert "{" not in one.text
        assert all(memory.created_at < NOW for memory in labelled.memories)


def test_every_slot_is_filled(work: LabelledSet, talks: LabelledSet) -> None:
    assert all("{" not in memory.text for memory in (*work.memories, *talks.memories))


def test_no_topic_is_in_both_halves() -> None:
    halves = defaultdict(set)
    for one in recall_set().questions:
        if one.expects and not one.topic.startswith("theme "):
            halves[one.topic].add(one.half)
    assert all(len(found) == 1 for found in halves.values())


def test_paraphrases_share_few_words_with_their_answers(work: LabelledSet) -> None:
    def overlap(asked: Asked) -> float:
        memories = {memory.id: memory for memory in work.memories}
        parts = [
            shared_words(one, [memories[expected] for expected in one.expects])
            for one in work.questions
            if one.asked is asked
        ]
        return sum(parts) / len(parts)

    assert overlap(Asked.PARAPHRASE) < 0.25
    assert overlap(Asked.IDENTIFIER) > 0.8


def test_what_is_superseded_has_a_later_one(work: LabelledSet) -> None:
    memories = {memory.id: memory for memory in work.memories}
    replaced = [memory for memory in work.memories if memory.superseded_by]
    assert len(replaced) >= 50
    for memory in replaced:
        assert memory.superseded_by is not None
        assert memories[memory.superseded_by].created_at > memory.created_at


def test_the_words_of_a_moment_name_it_and_no_other_of_its_series() -> None:
    for seed in range(200):
        series = moments(Random(seed))
        for moment in series:
            named = spans(moment.words, NOW.date())
            inside = [
                any(first <= other.at.date() <= last for first, last in named) for other in series
            ]
            assert inside.count(True) == 1, (seed, moment.words)
            assert inside[series.index(moment)]


def test_the_set_and_the_clutter_are_the_same_every_time(work: LabelledSet) -> None:
    assert work_memory() == work
    assert list(stale_clutter(50)) == list(stale_clutter(50))


def test_rows_count_shares_and_places(work: LabelledSet) -> None:
    one = next(q for q in work.questions if q.asked is Asked.PARAPHRASE and len(q.expects) == 1)
    answers: Sequence[Answer] = [Answer(one, (2,), 10, 0), Answer(one, (), 10, 0)]
    row, mean = rows_of(answers, one.half, "hybrid")
    assert (row.at_1, row.at_5, row.at_10) == (0.0, 0.5, 0.5)
    assert row.mrr == pytest.approx(1 / 6)
    assert mean.at_10 == row.at_10


def test_measuring_asks_the_real_recall_and_nothing_leaks(work: LabelledSet) -> None:
    asked = [one for one in work.questions if one.asked is Asked.IDENTIFIER][:12]
    wanted = frozenset().union(*(one.expects for one in asked))
    few = [m for m in work.memories if m.id in wanted] + list(work.memories[:60])
    memories = tuple({memory.id: memory for memory in few}.values())
    report = measure(TopicEmbedder({}), LabelledSet(memories=memories, questions=tuple(asked)))
    assert report.leaks == 0
    found = {row.method: row.at_10 for row in report.rows if row.asked == "identifier"}
    assert found["words"] == 1.0
    assert set(found) == {"words", "meaning", "hybrid"}
