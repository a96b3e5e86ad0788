"""The form of a small model's turns: what may be generated, and what is read out of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.models.local.decision import (
    ANSWER,
    THOUGHT,
    Decision,
    Offered,
    decision_of,
    grammar_of,
    rendered,
    text_so_far,
    turn_grammar,
)

READ = Offered(
    name="read_file",
    description="Reads.",
    schema={"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
)
TEXT = {"type": "string", "contentMediaType": "text/plain"}
WRITE = Offered(
    name="write_file",
    description="Writes.",
    schema={
        "type": "object",
        "properties": {"path": {"type": "string"}, "content": TEXT},
        "required": ["path", "content"],
    },
)
RUN = Offered(
    name="run", description="Runs.", schema={"properties": {"code": TEXT}, "required": ["code"]}
)
TREE = Offered(name="walk", description="", schema={"$ref": "#/$defs/T", "$defs": {"T": {}}})


def forms_of(grammar: str) -> list[Any]:
    """The schemas of a grammar, in their order."""
    reader = json.JSONDecoder()
    return [reader.raw_decode(one)[0] for one in grammar.split("%json ")[1:]]


def test_every_tool_and_the_answer_are_a_choice() -> None:
    (form,) = forms_of(turn_grammar([READ, TREE]))
    choices = form["anyOf"]
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
    (ruled_out,) = forms_of(turn_grammar([READ], may_answer=False))
    assert len(ruled_out["anyOf"]) == 1
    form = {"type": "object", "properties": {"n": {"type": "integer"}}}
    (formed,) = forms_of(turn_grammar([READ], answer=form))
    assert formed["anyOf"][-1]["properties"]["answer"] == form


def test_a_whole_text_is_no_part_of_the_object() -> None:
    grammar = turn_grammar([READ, WRITE, RUN])
    whole, write, run = forms_of(grammar)
    assert len(whole["anyOf"]) == 2
    assert list(write["properties"]["arguments"]["properties"]) == ["path"]
    assert write["properties"]["arguments"]["required"] == ["path"]
    assert list(run["properties"]) == ["thought", "tool"]
    assert r'"\n<content>\n" text_0' in grammar
    assert r"text_1[lazy]: /(.|\n)*\n<\/code>/" in grammar


@pytest.mark.parametrize("name", ["", "a b", "<x>", "/"])
def test_a_name_that_is_no_tag_stays_inside(name: str) -> None:
    schema = {"properties": {name: TEXT}, "required": [name]}
    assert Offered(name="odd", description="", schema=schema).written_out == ""


def test_a_program_is_read_as_it_was_written() -> None:
    program = 'print("\\n".join(["a", \'{"answer": "b"}\']))\n'
    generated = '{"thought": "I print.", "tool": "run"}\n<code>\n' + program + "</code>"
    found = decision_of(generated)
    assert found == Decision(thought="I print.", tool="run", arguments={"code": program})
    assert text_so_far(generated, ANSWER) == ""
    assert text_so_far(generated, THOUGHT) == "I print."
    assert rendered(found, "code") == generated


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
    [
        "",
        "{",
        "[]",
        '"x"',
        '{"thought": "x"}',
        '{"tool": "a"}',
        '{"tool": "a", "arguments": []}',
        '{"tool": 3}',
        '{"tool": "a"}\n<code>\nprint(1)\n',
        '{"tool": "a"}\n<code>\nprint(1)\n</text>',
    ],
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


@given(st.text(), st.dictionaries(st.text(), st.integers()))
def test_calls_with_a_whole_text_survive_too(text: str, others: dict[str, int]) -> None:
    call = Decision(thought="", tool="x", arguments={**others, "code": f"{text}\n"})
    assert decision_of(rendered(call, "code")) == call


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
