"""The bytes below every reader: long lines, broken bytes, deep nesting."""

from __future__ import annotations

import io
import json
import tracemalloc
from pathlib import Path

import pytest

from hermes.ingest.decoding import MAX_DEPTH, Malformed, arguments_of, decode, structured
from hermes.ingest.jsonl import read_objects
from hermes.ingest.lines import Line, read_lines
from hermes.ingest.tags import cut_out
from hermes.records.codec import Json
from hermes.rules.plain_text import is_storable

from .reader_samples import asks, read_one, said, write


def lines_of(data: bytes, cap: int = 64) -> list[Line]:
    return list(read_lines(io.BytesIO(data), cap))


def objects_of(data: bytes, cap: int = 64) -> tuple[list[Json], list[tuple[int, str]]]:
    notes: list[tuple[int, str]] = []
    stream = io.BytesIO(data)
    found = read_objects(stream, lambda line, what: notes.append((line, what)), cap)
    return [value for _, value in found], notes


def test_places_are_right_around_a_line_that_is_too_long() -> None:
    data = b"one\n" + b"x" * 100 + b"\n\n  \ntwo\nlast"
    found = lines_of(data)
    assert [(line.number, line.data, line.ended) for line in found] == [
        (1, b"one\n", True),
        (2, None, True),
        (5, b"two\n", True),
        (6, b"last", False),
    ]
    for line in found:
        if line.data is not None:
            assert data[line.offset :].startswith(line.data)


@pytest.mark.parametrize(("length", "kept"), [(63, True), (64, True), (65, False)])
def test_the_cap_is_exact(length: int, kept: bool) -> None:
    (line,) = lines_of(b"x" * length)
    assert (line.data is not None) is kept


def test_a_giant_line_is_reported_and_never_held(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [asks("u1", None, "before")])
    with path.open("ab") as file:
        file.write(b'{"type":"user","uuid":"g","message":"')
        for _ in range(80):
            file.write(b"a" * 2**20)
        file.write(b'"}\n')
        file.write(json.dumps(asks("u2", "g", "after")).encode() + b"\n")
    tracemalloc.start()
    conversation, turns = read_one(path)
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert said(turns) == ["user:before", "user:after"]
    assert [(problem.line, problem.what) for problem in conversation.problems] == [
        (2, "a line longer than 64 MiB was left out")
    ]
    assert held < 200 * 2**20


@pytest.mark.parametrize(
    ("data", "value", "note"),
    [
        (b'{"a": "\\ud83d"}', {"a": "\ufffd"}, None),
        (b'{"a\\u0000": ["\\u0000b"]}', {"a\ufffd": ["\ufffdb"]}, None),
        (b'\0\0{"a": 1}\0', {"a": 1}, "NUL bytes"),
        (b'{"a": "\xff\xfe"}', {"a": "\ufffd\ufffd"}, "not UTF-8"),
        (b'{"a": NaN, "b": -Infinity, "c": 1e999}', {"a": None, "b": None, "c": None}, None),
        (b'{"a": "\\ud83d\\ude00"}', {"a": "\U0001f600"}, None),
    ],
)
def test_what_can_be_mended_is_read(data: bytes, value: Json, note: str | None) -> None:
    found, notes = objects_of(data + b"\n")
    assert found == [value]
    assert len(notes) == (note is not None)
    assert all((note or "") in what for _, what in notes)


@pytest.mark.parametrize(
    "data",
    [b"\0\0\0", b"{", b"[1]", b'"text"', b"{'a': 1}", b'{"a": ' + b"9" * 5000 + b"}", b"[" * 99999],
)
def test_what_cannot_be_read_is_noted_with_its_line(data: bytes) -> None:
    found, notes = objects_of(b'{"a":1}\n' + data + b'\n{"b":2}\n', cap=2**20)
    assert found == [{"a": 1}, {"b": 2}]
    assert [line for line, _ in notes] == [2]


def test_nested_too_deeply_for_a_record_is_cut_and_says_so() -> None:
    deep = decode(b'{"a":' * (MAX_DEPTH + 50) + b"1" + b"}" * (MAX_DEPTH + 50))
    text = json.dumps(structured(deep))
    assert "[nested too deeply]" in text
    assert text.count("{") <= MAX_DEPTH
    shallow = {"a": [{"b": 1}]}
    assert structured(shallow) is shallow


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        ({"a": 1}, {"a": 1}),
        ("", {}),
        (None, {}),
        ("ls -l", {"input": "ls -l"}),
        ("[1]", {"input": "[1]"}),
        ([1], {"input": [1]}),
    ],
)
def test_arguments_come_in_many_forms(value: Json, expected: dict[str, Json]) -> None:
    assert arguments_of(value) == expected


def test_lone_surrogates_never_reach_a_turn(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    line = json.dumps(asks("u1", None, "cut \ud83d here \0"))
    path.write_text(line + "\n")
    _, (turn,) = read_one(path)
    assert is_storable(turn.text)


@pytest.mark.parametrize(
    ("text", "found", "rest"),
    [
        ("a <t>b</t> c", ["b"], "a  c"),
        ("<t>a</t><t>b</t>", ["a", "b"], ""),
        ("<t>a<t>b</t>c", ["a<t>b"], "c"),
        ("<t>never closed", [], "<t>never closed"),
        ("</t><t>", [], "</t><t>"),
        ("<t>" * 200_000, [], "<t>" * 200_000),
    ],
)
def test_tags_are_cut_out_in_one_pass(text: str, found: list[str], rest: str) -> None:
    assert cut_out(text, "t") == (found, rest)


def test_malformed_says_why() -> None:
    with pytest.raises(Malformed, match="not JSON"):
        decode(b"{nope}")
