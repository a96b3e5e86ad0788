"""Finding logs: by content, in folders, without leaving them."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hermes.errors import NotFound, WrongCall
from hermes.ingest.detect import detect, log_files
from hermes.ingest.reading import FORMATS, conversations

from .reader_samples import (
    HERMES_TABLES,
    OPENCODE_TABLES,
    Line,
    asks,
    claude_session,
    codex_meta,
    codex_session,
    gemini_asks,
    gemini_head,
    read_all,
    read_one,
    write,
)

FIRST_LINES: dict[str, list[Line]] = {
    "claude-code": claude_session(),
    "codex": codex_session(),
    "gemini": [gemini_head(), gemini_asks("m", "x")],
    "openai": [{"messages": [{"role": "user", "content": "x"}]}],
    "sharegpt": [{"conversations": [{"from": "human", "value": "x"}]}],
    "atif": [{"schema_version": "ATIF-v1.8", "agent": {}, "steps": []}],
    "opencode": [{"id": "ses_1", "projectID": "p", "directory": "/p"}],
}


@pytest.mark.parametrize("format", FIRST_LINES)
def test_the_content_decides_whatever_the_name(tmp_path: Path, format: str) -> None:
    assert detect(write(tmp_path / "anything.bin", FIRST_LINES[format])) == format


@pytest.mark.parametrize("format", ["gemini", "openai", "sharegpt", "atif"])
def test_a_document_over_many_lines_is_recognised(tmp_path: Path, format: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(FIRST_LINES[format][0], indent=4))
    assert detect(path) == format


def test_a_first_line_longer_than_the_look_is_recognised(tmp_path: Path) -> None:
    long = "x" * 400_000
    for line, format in (
        (codex_meta(base_instructions=long), "codex"),
        (asks("u", None, "x") | {"message": {"content": long}}, "claude-code"),
    ):
        for separators in ((",", ":"), (", ", ": ")):
            (tmp_path / "x").write_text(json.dumps(line, separators=separators))
            assert detect(tmp_path / "x") == format


def test_a_broken_first_line_does_not_hide_the_format(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", claude_session())
    path.write_bytes(b"\0\0garbage\n" + path.read_bytes())
    assert detect(path) == "claude-code"


@pytest.mark.parametrize(
    ("tables", "format"),
    [
        (HERMES_TABLES, "hermes-agent"),
        (OPENCODE_TABLES, "opencode"),
        ("CREATE TABLE messages (id)", None),
    ],
)
def test_databases_are_told_by_their_tables(
    tmp_path: Path, tables: str, format: str | None
) -> None:
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(tables)
    assert detect(path) == format


@pytest.mark.parametrize("text", ["", "hello\n", "{}", "[]", '{"name": "package"}', "SQLite form"])
def test_what_is_no_log_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    assert detect(tmp_path / "x.json") is None


def test_a_folder_is_walked_in_order_and_not_left(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    for name in ("b/x.jsonl", "a.jsonl", ".claude/projects/y.jsonl", "b/c/z.json"):
        write(root / name, claude_session())
    for name in ("node_modules/n.jsonl", ".git/g.jsonl", "notes.md", "msg_1.json", "history.jsonl"):
        write(root / name, claude_session())
    write(outside / "secret.jsonl", claude_session())
    os.symlink(outside, root / "elsewhere")
    os.symlink(outside / "secret.jsonl", root / "link.jsonl")
    os.symlink(root / "a.jsonl", root / "inside.jsonl")
    os.symlink(root, root / "b" / "loop")
    found = [str(path.relative_to(root)) for path in log_files(root)]
    assert found == [
        "a.jsonl",
        "inside.jsonl",
        ".claude/projects/y.jsonl",
        "b/x.jsonl",
        "b/c/z.json",
    ]


def test_files_that_could_be_logs_are_told_and_others_are_not(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", claude_session())
    (tmp_path / "b.jsonl").write_text("not a log\n")
    (tmp_path / "settings.json").write_text("{}")
    (tmp_path / "empty.jsonl").write_text("")
    good, bad = read_all(tmp_path)
    assert len(good[1]) == 4
    assert not bad[1]
    assert [str(problem) for problem in bad[0].problems] == [
        f"{tmp_path / 'b.jsonl'}:1: no log of a known format"
    ]
    named, turns = read_one(tmp_path / "settings.json")
    assert named.problems
    assert not turns


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    os.symlink("loop.jsonl", tmp_path / "loop.jsonl")
    write(tmp_path / "a.jsonl", claude_session())
    good, bad = read_all(tmp_path)
    assert (len(good[1]), len(bad[1])) == (4, 0)
    assert "cannot be read" in bad[0].problems[0].what
    with pytest.raises(NotFound):
        conversations(tmp_path / "loop.jsonl")


@pytest.mark.parametrize("format", ["claude-code", "codex", "gemini"])
def test_a_log_that_vanishes_while_it_is_read_is_told(tmp_path: Path, format: str) -> None:
    path = write(tmp_path / "s.jsonl", FIRST_LINES[format])
    (conversation,) = conversations(path)
    path.unlink()
    assert not list(conversation.turns)
    assert "No such file" in conversation.problems[0].what


def test_a_small_log_that_is_replaced_while_it_is_read_is_taken_as_it_was(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", claude_session())
    (conversation,) = conversations(path)
    path.write_text("{}\n")
    assert len(list(conversation.turns)) == 4
    assert not conversation.problems


def test_a_large_log_that_is_replaced_while_it_is_read_is_told(tmp_path: Path) -> None:
    """Its lines are too many to be held, and so they are read a second time."""
    large = {"type": "progress", "data": "x" * 4 * 1024 * 1024}
    path = write(tmp_path / "s.jsonl", [{"type": "permission-mode"}, large, *claude_session()])
    (whole,) = conversations(path)
    assert len(list(whole.turns)) == 4
    (conversation,) = conversations(path)
    path.write_text("{}\n")
    assert len(list(conversation.turns)) == 0
    assert conversation.problems[0].what == "the file changed while it was read"


def test_wrong_paths_and_formats_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="No such file"):
        conversations(tmp_path / "nowhere")
    with pytest.raises(WrongCall, match="pdf"):
        conversations(tmp_path, "pdf")
    assert set(FIRST_LINES) < set(FORMATS)


def test_a_format_that_is_given_is_not_guessed(tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", [{"type": "user", "weird": 1}])
    assert read_one(path)[0].heading.source == "unknown"
    conversation, turns = read_one(path, "claude-code")
    assert conversation.heading.source == "claude-code"
    assert conversation.problems
    assert not turns
