"""What a memory is found by."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from hermes.records.memory import Memory, MemoryKind
from hermes.rules.recalling.terms import ASKS, item_terms, item_text, query_terms, query_text
from hermes.testing import samples

DAY = date(2023, 5, 8)


def _item(text: str, **more: object) -> Memory:
    at = datetime(2023, 5, 8, 12, tzinfo=UTC)
    return samples.memory(text=text, created_at=at, **more)


def _turn(text: str) -> Memory:
    return _item(text, kind=MemoryKind.EPISODIC, session_id="ses_1")


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("it failed with ERR_CONN_42", "ERR_CONN_42"),
        ("it failed with ERR_CONN_42", "err conn"),
        ("see src/hermes/loop.py for the order", "src/hermes/loop.py"),
        ("see /srv/app/config.yaml", "srv/app/config.yaml"),
        ("parseCsvFile drops the header", "parse csv file"),
        ("needs numpy 2.1.3", "2.1.3"),
        ("Caroline: I went to the lake", "when did she go"),
        ("the résumé parser", "resume"),
    ],
)
def test_an_identifier_is_found_whole_and_in_parts(stored: str, asked: str) -> None:
    query = query_terms(asked, DAY)
    assert query.words
    assert set(query.words) & set(item_terms(_item(stored)))


def test_an_item_has_its_speaker_and_its_days() -> None:
    terms = item_terms(_turn("Ana Maria: we met yesterday"))
    assert {"by:ana", "by:maria", "on:2023-05-08", "on:2023-05-07", "in:2023-05"} <= set(terms)
    for other in (_turn("we met yesterday"), _item("Anvil: we met yesterday")):
        assert not any(term.startswith("by:") for term in item_terms(other))


def test_how_it_is_asked_is_not_looked_for() -> None:
    assert query_terms("why did they tell him about the harbour", DAY).words == ("harbour",)
    assert query_terms("go make", DAY).words == ("go", "mak")
    assert query_terms("who is she", DAY).words  # better than nothing


@pytest.mark.parametrize(
    "turn", ["(1:56 pm on 8 May) Ana: we met", "**Ana**: we met", "[09:12] Ana: we met"]
)
def test_a_speaker_is_known_behind_a_time(turn: str) -> None:
    assert "by:ana" in item_terms(_turn(turn))
    assert item_text(_turn(turn)) == "we met"


def test_a_speaker_is_known_before_a_quotation() -> None:
    assert "by:ana" in item_terms(_turn('Ana said, "we met"'))
    assert item_text(_turn('Ana said, "we met"')) == '"we met"'
    assert "by:ana" not in item_terms(_turn("Ana said we met"))


def test_a_turn_that_only_asks_is_marked() -> None:
    assert ASKS in item_terms(_turn("Ana: How was it? And who came?"))
    assert ASKS not in item_terms(_turn("Ana: It was great. Who came?"))
    assert ASKS not in item_terms(_item("How was it?"))
    assert ASKS in query_terms("harbour", DAY).terms


def test_a_definition_is_read_out_and_its_words_stay_as_they_are() -> None:
    definition = _item("getUserById: finds one", kind=MemoryKind.DECLARATIVE)
    assert item_text(definition) == "get User By Id: finds one"
    assert "getuserbyid" in item_terms(definition)


def test_a_date_in_a_definition_is_an_example() -> None:
    text = "book_room: day, such as 2023-06-01"
    assert "on:2023-06-01" not in item_terms(_item(text, kind=MemoryKind.DECLARATIVE))
    assert "on:2023-06-01" in item_terms(_item(text))


def test_a_name_is_looked_up_and_not_embedded() -> None:
    assert item_text(_turn("Ana Maria: we met yesterday")) == "we met yesterday"
    assert item_text(_item("Anvil: we met yesterday")) == "Anvil: we met yesterday"
    assert item_text(_turn("Ana: ")) == "Ana: "
    asked = "What impressed the official about Ana's house in Rome?"
    assert query_text(asked, {"by:ana"}) == "What impressed the official about house in Rome?"
    assert query_text(asked, set()) == asked
    assert query_text("Ana?", {"by:ana"}) == "Ana?"


def test_a_query_asks_for_people_and_days_apart_from_words() -> None:
    query = query_terms("What did Ana's team do in April 2023?", DAY, nearby="the old printer")
    assert "by:ana" in query.people
    assert query.days == {"in:2023-04"}
    assert set(query.nearby) == {"old", "printer"}
    assert set(query.terms) >= {*query.words, *query.people, *query.days, *query.nearby}


def test_a_short_span_is_asked_for_by_its_days() -> None:
    assert query_terms("last week", DAY).days == {f"on:2023-05-0{day}" for day in range(1, 8)}


def test_a_giant_text_has_few_terms() -> None:
    assert len(item_terms(_item("word " * 2_000_000 + " late"))) < 10
