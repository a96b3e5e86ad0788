"""A definition is embedded as a person would read it out."""

from __future__ import annotations

import json

import pytest

from hermes.rules.recalling.definitions import read_out


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("getUserById(user_id)", "get User By Id(user id)"),
        ("calendar.createEvent: adds one", "calendar create Event: adds one"),
        ("needs numpy 2.1.3 on port 8080", "needs numpy 2.1.3 on port 8080"),
        ("The user's list isn't sorted.", "The user's list isn't sorted."),
        ("", ""),
        ("{}", "{}"),
    ],
)
def test_identifiers_become_words(written: str, read: str) -> None:
    assert read_out(written) == read


def test_the_notation_of_a_schema_is_left_out() -> None:
    shape = {
        "type": "object",
        "properties": {"base_length": {"type": "number", "description": "Length of the base"}},
        "required": ["base_length"],
    }
    definition = {"name": "area", "description": "Area of a triangle.", "parameters": shape}
    expected = "area , Area of a triangle. , base length : Length of the base ,"
    assert read_out(json.dumps(definition)) == expected
    assert read_out(str(definition)) == expected


def test_what_is_all_notation_stays_as_it_is() -> None:
    assert read_out('{"required": true}') == '{"required": true}'


def test_a_hostile_text_is_read_to_its_end() -> None:
    """A pattern that looked back from every quote would not come back."""
    hostile = '"required": [' * 20_000 + "'type': '" * 20_000
    assert read_out(f"{hostile} the end").endswith("the end")
