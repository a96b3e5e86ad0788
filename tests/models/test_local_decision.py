"""The form of a small model's turns: what may be generated, and what is read out of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.models.local.decision import (
    ANSWER,
    THOUGHT,
    Decision,
    Offered,
    decision_of,
    decision_schema,
    grammar_of,
    rendered,
    text_so_far,
)

READ = Offered(
    name="read_file",
    description="Reads.",
    schema={"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
)
TREE = Offered(name="walk", description="", schema={"$ref": "#/$defs/T", "$defs": {"T": {}}})


def test_every_tool_and_the_answer_are_a_choice() -> None:
    choices = decision_schema([READ, TREE])["anyOf"]
    assert [list(one["properties"]) for one in choices] == [
        ["thought", "tool", "arguments"],
        ["thought", "tool", "arguments"],
        ["thought", "answer"],
    ]
    read, walk, _ = (one["properties"] for one in choices)
    assert read["tool"] == {"const": "read_file"}
    assert read["arguments"] == {**READ.schema, "additionalProperties": False}
    assert walk["arguments"] == {"type": "object"}


def test_the_answer_may_be_ruled_out_or_have_a_form() -> None:
    assert len(decision_schema([READ], may_answer=False)["anyOf"]) == 1
    form = {"type": "object", "properties": {"n": {"type": "integer"}}}
    assert decision_schema([READ], answer=form)["anyOf"][-1]["properties"]["answer"] == form


def test_a_grammar_has_no_expression_that_could_spoil_it() -> None:
    """An argument may be called `pattern`; only the keyword goes."""
    schema = {
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "pattern": "^a(?=b)"},
            "many": {"type": "array", "items": {"propertyNames": {"pattern": "x"}}},
            "one": {"enum": [{"pattern": 1}], "default": {"pattern": 2}},
        },
    }
    head, _, form = grammar_of(schema).partition("%json ")
    assert head == "%llguidance {}\nstart: "
    found = json.loads(form)
    assert found["properties"] == {
        "pattern": {"type": "string"},
        "many": {"type": "array", "items": {}},
        "one": {"enum": [{"pattern": 1}], "default": {"pattern": 2}},
    }
    assert not found["x-guidance"]["whitespace_flexible"]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '"x"', '{"thought": "x"}', '{"tool": "a", "arguments": []}', '{"tool": 3}'],
)
def test_what_is_no_decision(text: str) -> None:
    assert decision_of(text) is None


@given(st.text(), st.text(min_size=1), st.dictionaries(st.text(), st.integers()), st.text())
def test_decisions_survive_being_written_and_read(
    thought: str, tool: str, arguments: dict[str, int], answer: str
) -> None:
    call = Decision(thought=thought, tool=tool, arguments=arguments)
    end = Decision(thought=thought, answer=answer)
    assert decision_of(rendered(call)) == call
    assert decision_of(rendered(end)) == end


@given(st.text(), st.text(), st.booleans())
def test_what_is_shown_only_grows_and_ends_as_the_whole(
    thought: str, answer: str, ascii_only: bool
) -> None:
    whole = json.dumps({THOUGHT: thought, ANSWER: answer}, ensure_ascii=ascii_only)
    before = ""
    for end in range(len(whole) + 1):
        shown = text_so_far(whole[:end], ANSWER)
        assert shown.startswith(before)
        before = shown
    assert before == answer
    assert text_so_far(whole, THOUGHT) == thought


def test_a_thought_about_an_answer_is_not_the_answer() -> None:
    thought = 'I could say , "answer": "42" but'
    whole = json.dumps({THOUGHT: thought, "tool": "x", "arguments": {}})
    assert text_so_far(whole, ANSWER) == ""
