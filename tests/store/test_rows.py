"""A damaged row is never taken for a record."""

from __future__ import annotations

from typing import Any

import pytest

from hermes.errors import CorruptData, WrongCall
from hermes.records.observation import Observation
from hermes.store.rows import rows_of
from hermes.testing import samples

ROWS = rows_of(Observation)
GOOD = ROWS.values(samples.observation("trj_1"))


def test_the_columns_are_the_fields_in_their_order() -> None:
    assert tuple(GOOD) == Observation.__slots__


def test_the_storage_form_is_plain() -> None:
    assert GOOD["success"] == 1
    assert GOOD["created_at"] == "2026-11-15T20:38:00.123456Z"
    assert GOOD["key_insights"] == "[]"
    assert GOOD["error_recovery"] == ('{"discovered_new_pitfall":false,"pitfall_description":null}')


@pytest.mark.parametrize(
    ("column", "damaged"),
    [
        ("success", 2),
        ("success", "1"),
        ("success", True),
        ("success", None),
        ("success_source", "rumour"),
        ("confidence", "high"),
        ("confidence", None),
        ("error_recovery", "{"),
        ("error_recovery", "[]"),
        ("error_recovery", '{"discovered_new_pitfall":1,"pitfall_description":null}'),
        ("key_insights", '{"a":1}'),
        ("key_insights", "[NaN]"),
        ("created_at", "2026-11-15"),
        ("created_at", ""),
        ("id", 7),
    ],
)
def test_a_damaged_value_is_corrupt_data(column: str, damaged: Any) -> None:
    row = tuple((GOOD | {column: damaged}).values())
    with pytest.raises(CorruptData, match=r"^here: ") as caught:
        ROWS.record(row, "here")
    assert column in str(caught.value) or column == "success"
    assert caught.value.hint


def test_a_row_of_another_width_is_corrupt_data() -> None:
    with pytest.raises(CorruptData):
        ROWS.record(tuple(GOOD.values())[:-1], "here")


def test_the_sign_of_zero_is_the_same_everywhere() -> None:
    values = ROWS.values(samples.observation("trj_1", confidence=-0.0))
    assert str(values["confidence"]) == "0.0"


def test_a_value_that_fits_no_column_names_its_field() -> None:
    with pytest.raises(WrongCall, match=r"Observation.confidence"):
        ROWS.values(samples.observation("trj_1", confidence=float("nan")))
