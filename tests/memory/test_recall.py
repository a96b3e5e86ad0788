"""What is recalled, in which order, and why."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest

from hermes.errors import EmbedderUnavailable
from hermes.ids import now
from hermes.records.memory import MemoryKind, Trust
from hermes.rules.recalling.weights import FITTED, RecallPolicy, Weights
from hermes.store.database import Database
from hermes.testing.memory_rooms import TOPICS, TestRoom
from hermes.testing.topic_embedder import TopicEmbedder

EPISODIC = MemoryKind.EPISODIC


def test_a_paraphrase_is_found_by_meaning(room: TestRoom) -> None:
    room.keep("We ship with make from the main branch")
    room.keep("Ana drinks coffee at nine")
    (hit,) = room.search("how do they publish").items
    assert hit.memory.text == "We ship with make from the main branch"
    assert hit.why.semantic == pytest.approx(1.0, abs=1e-3)
    assert hit.why.lexical == 0
    assert "meaning: 1.00" in str(hit.why)


def test_an_identifier_is_found_by_its_letters(room: TestRoom) -> None:
    room.keep("ERR_CONN_42 says that the tunnel is gone")
    room.keep("ERR_CONN_43 says that the tunnel is slow")
    assert room.found("ERR_CONN_42")[0] == "ERR_CONN_42 says that the tunnel is gone"
    assert "ERR_CONN_42" in room.search("ERR_CONN_42").items[0].why.words


def test_nothing_like_it_is_nothing(room: TestRoom) -> None:
    room.keep("Ana drinks coffee at nine")
    recalled = room.search("quantum chromodynamics")
    assert recalled.items == ()
    assert recalled.cut.unlike >= 1


def test_another_scope_neither_shows_nor_counts(room: TestRoom) -> None:
    room.keep("The tulip host is for builds")
    alone = room.search("tulip host builds").items[0]
    for number in range(40):
        room.keep(f"The tulip host {number} is for builds too", scope="team:other")
    (again,) = room.search("tulip host builds").items
    assert again.memory == alone.memory
    assert again.why.lexical == alone.why.lexical
    assert room.found("tulip host builds", scope="project:none") == []


def test_several_scopes_are_searched_together(room: TestRoom) -> None:
    room.keep("The tulip host is for builds")
    room.keep("The tulip host is for tests", scope="team:ops")
    hits = room.room.recall.search("tulip host", scopes=["personal", "team:ops", "personal"]).items
    assert {hit.memory.scope for hit in hits} == {"personal", "team:ops"}
    assert len(hits) == 2


def test_kinds_are_filtered(room: TestRoom) -> None:
    room.keep("The tulip host broke on Monday", EPISODIC)
    room.keep("The tulip host is for builds")
    found = room.room.recall.search("tulip host", scopes=["personal"], kinds=[EPISODIC]).items
    assert [hit.memory.kind for hit in found] == [EPISODIC]


def test_age_counts_and_use_makes_up_for_it(room: TestRoom) -> None:
    old = room.keep("Builds happen on the tulip host", at=now() - timedelta(days=900))
    room.keep("Mails leave by the tulip host", at=now() - timedelta(days=1))
    first, second = room.search("tulip host").items
    assert first.memory.text == "Mails leave by the tulip host"
    assert second.why.decay < first.why.decay <= 1.0
    assert second.why.age_days == pytest.approx(900, abs=1)
    for _ in range(4):
        room.room.recall.search("where builds happen", scopes=["personal"], k=1)
        room.room.recall.settle()
    kept = room.room.memories.get(old.id)
    assert kept is not None
    assert kept.strength > 1
    assert kept.last_recalled_at is not None
    assert room.found("tulip host")[0] == "Builds happen on the tulip host"


def test_what_was_superseded_comes_after_what_replaced_it(room: TestRoom) -> None:
    room.keep("The staging database listens on port 5433")
    room.keep("The staging database listens on port 5434")
    new, old = room.search("which port does the staging database have").items
    assert new.memory.text.endswith("5434")
    assert old.why.superseded
    assert old.score < new.score


def test_a_question_about_then_is_answered_by_what_was_so_then(room: TestRoom) -> None:
    then = now() - timedelta(days=400)
    room.keep("The staging database listens on port 5433", at=then)
    room.keep("The staging database listens on port 5434")
    asked = "which port did the staging database have"
    assert room.found(asked)[0].endswith("5434")
    old, new = room.search(f"{asked} in {then:%B %Y}").items
    assert old.memory.text.endswith("5433")
    assert old.why.superseded
    # Nothing was taken off for being replaced: the time alone makes the difference.
    assert old.score - new.score == pytest.approx(FITTED.time, abs=0.05)


def test_a_rare_identifier_of_long_ago_still_comes_first(room: TestRoom) -> None:
    room.keep("ERR_TUNNEL_7781 went away with a new key", at=now() - timedelta(days=730))
    for number in range(60):
        room.keep(f"The tunnel to site {number} failed with an error today", EPISODIC)
    assert room.found("tunnel error ERR_TUNNEL_7781")[0].startswith("ERR_TUNNEL_7781")


def test_a_turn_that_tells_comes_before_one_that_asks(room: TestRoom) -> None:
    told = "Bob: At the harbour festival I had grilled sardines with lemon and bread"
    for turn in ("Ana: What did you eat at the harbour festival?", told, "Ana: Lovely!"):
        room.keep(turn, EPISODIC, session_id="s1")
    assert room.found("what was there to eat at the harbour festival")[0] == told


def test_what_tools_share_is_not_looked_past(database: Database, tmp_path: Path) -> None:
    """Of facts about one service its name tells nothing; tools for one thing are what is asked."""
    policy = RecallPolicy(fades=False, reinforces=False, min_similarity=0.0)
    room = TestRoom(database, tmp_path / "home", policy=policy)
    for number in range(60):
        text = f"release host q{number}x{number * 7}y{number * 31}"
        room.keep(text)
        room.keep(text, MemoryKind.DECLARATIVE, scope="team:tools")
    nearness = {scope: room.search("publish coffee", scope) for scope in ("personal", "team:tools")}
    assert [hit.why.semantic for hit in nearness["team:tools"].items] == pytest.approx([0.5] * 8)
    assert nearness["personal"].items == ()


def test_what_has_expired_is_not_shown(room: TestRoom) -> None:
    room.keep("The tulip host is down until noon", expires_at=now() - timedelta(minutes=1))
    recalled = room.search("tulip host")
    assert recalled.items == ()
    assert recalled.cut.expired == 1


def test_the_answer_beside_the_question_is_found(database: Database, tmp_path: Path) -> None:
    room = TestRoom(database, tmp_path / "home", semantic=False)
    turns = (
        "Ana: what did you eat at the harbour festival?",
        "Bob: grilled sardines, they were wonderful",
        "Ana: lovely",
    )
    for turn in turns:
        room.keep(turn, EPISODIC, session_id="s1")
    room.keep("Bob: grilled sardines are on sale", EPISODIC, session_id="s2")
    found = room.found("eat at the harbour festival")
    assert found[0] == turns[0]
    assert turns[1] in found
    assert "Bob: grilled sardines are on sale" not in found


def test_a_named_day_is_looked_for(room: TestRoom) -> None:
    day = now().replace(year=2023, month=5, day=8)
    room.keep("Otto: I repaired the old bicycle", EPISODIC, at=day)
    room.keep("Otto: I repaired the wooden boat", EPISODIC, at=day.replace(month=9))
    assert room.found("what did Otto repair in May 2023?")[0] == "Otto: I repaired the old bicycle"
    assert room.found("what did Otto repair in September 2023?")[0].endswith("wooden boat")


def test_near_duplicates_and_the_budget_are_kept(room: TestRoom) -> None:
    room.keep("Otto: the tulip host is for builds", EPISODIC)
    room.keep("Otto the tulip host is for the builds", EPISODIC)
    room.keep("The tulip host is blue " + "and tall " * 200, EPISODIC)
    recalled = room.room.recall.search("tulip host builds", scopes=["personal"], token_budget=50)
    assert len(recalled.items) == 1
    assert recalled.cut.near_duplicates == 1
    assert recalled.cut.over_budget == 1


def test_a_text_asked_for_word_by_word_comes_first(room: TestRoom) -> None:
    """The same words in another order are as near by words and by meaning."""
    texts = ("Shelf 1 holds box 0 of writer 1", "Shelf 0 holds box 1 of writer 0")
    for text in texts:
        room.keep(text, MemoryKind.EPISODIC)
    for text in texts:
        assert room.found(f" {text.upper()}", k=1) == [text]


def test_what_was_said_just_before_breaks_a_tie(room: TestRoom) -> None:
    room.keep("The printer in Oslo needs paper")
    room.keep("The printer in Rome needs paper")
    for city in ("Oslo", "Rome"):
        recalled = room.room.recall.search(
            "printer paper", scopes=["personal"], session_context=f"we are flying to {city}"
        )
        assert city in recalled.items[0].memory.text


def test_another_process_is_seen_at_once(
    room: TestRoom, database: Database, tmp_path: Path
) -> None:
    other = TestRoom(database, tmp_path / "other")
    assert room.found("tulip host") == []
    kept = other.keep("The tulip host is for builds")
    assert room.found("tulip host") == [kept.text]
    other.room.forget.forget(kept.id, by="ana")
    assert room.found("tulip host") == []


def test_by_words_alone(database: Database, tmp_path: Path) -> None:
    room = TestRoom(database, tmp_path / "home", semantic=False)
    room.keep("The tulip host is for builds")
    (hit,) = room.search("tulip").items
    assert hit.why.semantic is None
    assert room.add("The tulip host is for builds!").merged_into
    assert room.found("publish") == []


def test_a_search_that_must_leave_no_trace(database: Database, tmp_path: Path) -> None:
    policy = RecallPolicy(reinforces=False, weights=Weights(lexical=1.0))
    room = TestRoom(database, tmp_path / "home", policy=policy)
    kept = room.keep("The tulip host is for builds")
    assert room.found("tulip host")
    room.room.close()
    assert room.room.memories.get(kept.id) == kept
    assert "searches" not in room.room.figures.of(["personal"]).tallies


@pytest.mark.parametrize("query", ["", "   ", "\0", "?", "🎉" * 9, "ש", "a" * 100_000])
def test_any_query_has_an_answer(room: TestRoom, query: str) -> None:
    room.keep("The tulip host is for builds")
    assert len(room.search(query).items) <= 1


def test_figures_tell_what_happened(room: TestRoom) -> None:
    room.keep("The staging database listens on port 5433", at=now() - timedelta(days=40))
    room.keep("The staging database listens on port 5434")
    room.add("The staging database listens on port 5434.")
    room.add("hi")
    room.add("Always deploy", trust=Trust.TOOL_OUTPUT)
    room.search("staging database")
    room.room.recall.settle()
    figures = room.room.figures.of(["personal"])
    assert figures.kinds == {"semantic": 3}
    assert figures.ages == {"year": 1, "day": 2}
    assert (figures.superseded, figures.waiting, figures.without_vector) == (1, 1, 0)
    assert figures.tallies["searches"] == 1
    assert figures.tallies["hits"] == 2
    assert figures.junk_rate == pytest.approx(1 / 5)
    assert figures.duplicate_rate == pytest.approx(1 / 5)


def test_what_could_not_be_written_down_is_written_down_another_time(
    room: TestRoom, database: Database
) -> None:
    room.keep("The tulip host is for builds")
    room.search("tulip host")
    database.ask("ALTER TABLE memories RENAME TO memories_away")
    with pytest.raises(database.dialect.driver_error):
        room.room.recall.settle()
    database.ask("ALTER TABLE memories_away RENAME TO memories")
    room.room.recall.settle()
    assert room.room.figures.of(["personal"]).tallies["hits"] == 1


def test_what_is_expected_is_embedded_while_others_work(database: Database, tmp_path: Path) -> None:
    gate = Event()
    embedder = TopicEmbedder(TOPICS, gate=gate)
    gate.set()
    room = TestRoom(database, tmp_path / "home", embedder=embedder)
    room.keep("We ship with make from the main branch")
    gate.clear()
    room.room.recall.expect("how do they publish", ["personal"])  # and does not wait
    before = list(embedder.embedded)
    gate.set()
    assert room.found("how do they publish") == ["We ship with make from the main branch"]
    assert embedder.embedded == [*before, "how do they publish"]
    assert room.found("which tunnel to use") == []


def test_what_could_not_be_embedded_is_tried_again(database: Database, tmp_path: Path) -> None:
    embedder = _Away(TOPICS)
    room = TestRoom(database, tmp_path / "home", embedder=embedder)
    room.keep("We ship with make from the main branch")
    embedder.is_away = True
    room.room.recall.expect("how do they publish", ["personal"])
    assert room.found("how do they publish") == []
    embedder.is_away = False
    room.room.recall.expect("how do they publish", ["personal"])
    assert room.found("how do they publish") == ["We ship with make from the main branch"]


class _Away(TopicEmbedder):
    is_away = False

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        if self.is_away:
            raise EmbedderUnavailable("away")
        return super().embed(texts)


def test_much_that_was_recalled_is_written_down_by_itself(room: TestRoom) -> None:
    for number in range(80):
        room.keep(f"tulip q{number}x{number * 7}y{number * 31} host")
    for _ in range(8):
        room.search("tulip host", k=80)
    room.room.recall.settle()
    assert room.room.figures.of(["personal"]).tallies["hits"] == 8 * 80
    strengths = {one.strength for one in room.room.memories.page("personal", limit=100)}
    assert min(strengths) > 1.0
