"""A model that reads little at once is told little, and offered what nearly every task needs."""

from __future__ import annotations

import pytest

from hermes.agent.tool import schema_of
from hermes.agent.tools.files import ReadFile, WriteFile
from hermes.rules.short_form import SMALL_WINDOW, first_sentence, form_for, needed_only


@pytest.mark.parametrize("window", [None, SMALL_WINDOW + 1, 200_000])
def test_a_large_window_has_the_whole_form(window: int | None) -> None:
    form = form_for(window)
    assert not form.is_short
    assert form.catalogue_tokens > 1_000_000  # the settings decide


@pytest.mark.parametrize("window", [512, 8_192, SMALL_WINDOW])
def test_a_small_window_has_a_short_form_that_fits(window: int) -> None:
    form = form_for(window)
    assert form.is_short
    assert form.catalogue_tokens + form.memory_tokens <= window // 16
    assert form.answer_chars <= window // 8


def test_what_may_be_left_out_is_left_out() -> None:
    shortened = needed_only(schema_of(ReadFile))
    assert list(shortened["properties"]) == ["path"]
    assert shortened["required"] == ["path"]


def test_a_tool_without_arguments_stays_one() -> None:
    assert needed_only({"type": "object"}) == {"type": "object", "properties": {}}


def test_a_whole_text_is_marked_and_nothing_else_is() -> None:
    marked = needed_only(schema_of(WriteFile), "content")["properties"]
    assert marked == {
        "path": {"type": "string"},
        "content": {"type": "string", "contentMediaType": "text/plain"},
    }
    assert "contentMediaType" not in str(needed_only(schema_of(WriteFile)))
    assert "contentMediaType" not in str(needed_only(schema_of(ReadFile), "content"))


def test_a_tool_is_told_in_a_sentence() -> None:
    assert first_sentence("Run it. In a sandbox, always.") == "Run it."
    assert first_sentence("Read a file.") == "Read a file."
    assert first_sentence("") == ""
