"""When a text speaks of."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.rules.recalling.dates import spans

SAID_ON = date(2023, 5, 17)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("on 2023-05-08 it broke", date(2023, 5, 8), date(2023, 5, 8)),
        ("the 8th of May 2022", date(2022, 5, 8), date(2022, 5, 8)),
        ("8 May, 2022", date(2022, 5, 8), date(2022, 5, 8)),
        ("May 8 2022", date(2022, 5, 8), date(2022, 5, 8)),
        ("on May 8 we met", date(2023, 5, 8), date(2023, 5, 8)),
        ("in May 2022", date(2022, 5, 1), date(2022, 5, 31)),
        ("what happened in February?", date(2023, 2, 1), date(2023, 2, 28)),
        ("in October", date(2022, 10, 1), date(2022, 10, 31)),
        ("in 2021", date(2021, 1, 1), date(2021, 12, 31)),
        ("yesterday", date(2023, 5, 16), date(2023, 5, 16)),
        ("last night", date(2023, 5, 16), date(2023, 5, 16)),
        ("3 days ago", date(2023, 5, 14), date(2023, 5, 14)),
        ("two weeks ago", date(2023, 4, 30), date(2023, 5, 6)),
        ("last week", date(2023, 5, 8), date(2023, 5, 14)),
        ("this weekend", date(2023, 5, 20), date(2023, 5, 21)),
        ("last month", date(2023, 4, 1), date(2023, 4, 30)),
        ("last year", date(2022, 1, 1), date(2022, 12, 31)),
        ("last Friday", date(2023, 5, 12), date(2023, 5, 12)),
        ("last Wednesday", date(2023, 5, 10), date(2023, 5, 10)),
    ],
)
def test_a_time_is_a_span_of_days(text: str, first: date, last: date) -> None:
    assert spans(text, SAID_ON) == ((first, last),)


@pytest.mark.parametrize(
    "text",
    ["it may work", "version 3.11 on port 8080", "the last resort", "2023-13-45", "31 June 2023"],
)
def test_other_numbers_and_words_are_no_time(text: str) -> None:
    assert spans(text, SAID_ON) == ()


def test_a_month_inside_a_day_is_not_named_twice() -> None:
    assert len(spans("8 May 2023 and 9 June 2023", SAID_ON)) == 2


@given(st.text(max_size=80), st.dates())
def test_any_text_said_on_any_day_is_read(text: str, said_on: date) -> None:
    assert all(first <= last for first, last in spans(f"{text} 900 years ago last week", said_on))
