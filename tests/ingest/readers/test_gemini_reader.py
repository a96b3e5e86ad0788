"""Gemini CLI: messages that grow, rewinds, and the older files in one piece."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .reader_samples import (
    gemini_answers,
    gemini_asks,
    gemini_call,
    gemini_head,
    read_one,
    said,
    write,
)


def test_a_session_becomes_its_turns(tmp_path: Path) -> None:
    call = gemini_call("c1", "Output: 12 a.csv\nExit Code: 0", command="wc -l a.csv")
    thought = {"subject": "Counting", "description": "Use wc", "timestamp": "x"}
    tokens = {"input": 900, "output": 20, "cached": 850, "total": 920}
    lines = [
        gemini_head(),
        gemini_asks("m1", "count"),
        gemini_answers("m2", "On it.", call, thoughts=[thought], tokens=tokens),
        {"id": "m3", "type": "info", "content": "Request cancelled."},
        {"$set": {"summary": "Counting rows", "directories": ["/p"]}},
    ]
    conversation, turns = read_one(write(tmp_path / "session-1.jsonl", lines))
    heading = conversation.heading
    assert (heading.source, heading.external_id) == ("gemini", "gem-1")
    assert (heading.title, heading.cwd) == ("Counting rows", "/p")
    assert said(turns) == [
        "user:count",
        "thought:Counting\nUse wc",
        "assistant:On it.",
        "call:run_shell_command",
        "result:run_shell_command",
    ]
    assert (turns[3].tokens, turns[3].arguments) == (70, {"command": "wc -l a.csv"})
    assert (turns[4].call_id, turns[4].failed, turns[4].exit_code) == ("c1", False, 0)
    assert not conversation.problems
    assert not conversation.unknown


def test_a_message_written_again_replaces_its_first_form(tmp_path: Path) -> None:
    lines = [
        gemini_head(),
        gemini_answers("m1", "I look"),
        gemini_asks("m2", "later"),
        gemini_answers("m1", "I look", gemini_call("c1", "done")),
    ]
    _, turns = read_one(write(tmp_path / "session-1.jsonl", lines))
    assert [turn.kind for turn in turns] == ["assistant", "call", "result", "user"]


def test_a_rewind_takes_back_the_message_and_all_after_it(tmp_path: Path) -> None:
    lines = [
        gemini_head(),
        gemini_asks("m1", "one"),
        gemini_answers("m2", "1"),
        gemini_asks("m3", "two"),
        {"$rewindTo": "m2"},
        gemini_asks("m4", "three"),
    ]
    path = write(tmp_path / "session-1.jsonl", lines)
    assert said(read_one(path)[1]) == ["user:one", "user:three"]
    write(path, [*lines, {"$rewindTo": "nowhere"}, gemini_asks("m5", "four")])
    assert said(read_one(path)[1]) == ["user:four"]


def test_a_replaced_history_is_followed(tmp_path: Path) -> None:
    lines = [
        gemini_head(),
        gemini_asks("m1", "one"),
        {"$set": {"messages": [gemini_asks("m9", "summary"), gemini_answers("m2", "kept")]}},
        gemini_asks("m3", "on"),
    ]
    _, turns = read_one(write(tmp_path / "session-1.jsonl", lines))
    assert said(turns) == ["user:summary", "assistant:kept", "user:on"]


def test_the_older_form_is_one_document(tmp_path: Path) -> None:
    whole = gemini_head(messages=[gemini_asks("m1", "one"), gemini_answers("m2", "1")])
    path = tmp_path / "session-1.json"
    for indent in (None, 2):
        path.write_text(json.dumps(whole, indent=indent))
        conversation, turns = read_one(path)
        assert conversation.heading.external_id == "gem-1"
        assert said(turns) == ["user:one", "assistant:1"]


def test_failures_and_cancelled_calls_are_told(tmp_path: Path) -> None:
    refused = gemini_call("c1", "", status="error")
    refused["result"][0]["functionResponse"]["response"] = {"error": "no such file"}
    stopped = gemini_call("c2", "", status="cancelled") | {"result": None}
    broken = gemini_call("c3", "Output: x\nExit Code: 2")
    lines = [gemini_head(), gemini_answers("m1", "", refused, stopped, broken)]
    _, turns = read_one(write(tmp_path / "session-1.jsonl", lines))
    results = [turn for turn in turns if turn.kind == "result"]
    assert [turn.failed for turn in results] == [True, True, True]
    assert [turn.exit_code for turn in results] == [None, None, 2]
    assert results[0].text == "no such file"
    assert results[1].data == {"cancelled": True}


@pytest.mark.parametrize(
    ("answer", "text", "exit_code"),
    [
        ("Output: 12\n13\nProcess Group PGID: 4500", "12\n13", None),
        ("Output: (empty)\nExit Code: 3\nProcess Group PGID: 4500", "", 3),
        (
            "Command: wc\nDirectory: (root)\nOutput: 12\nError: (none)\nExit Code: 0\n"
            "Signal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 9",
            "12",
            0,
        ),
        (
            "Command: wc\nDirectory: (root)\nStdout: 12\nStderr: oh\nError: (none)\n"
            "Exit Code: 1\nSignal: (none)\nBackground PIDs: (none)",
            "12\noh",
            1,
        ),
        ("Output: Exit Code: 7\nOutput: x\nExit Code: 7\nbye", None, None),
        ("Command was backgrounded", "Command was backgrounded", None),
    ],
)
def test_what_a_command_printed_is_told_from_the_labels_around_it(
    tmp_path: Path, answer: str, text: str | None, exit_code: int | None
) -> None:
    lines = [gemini_head(), gemini_answers("m1", "", gemini_call("c1", answer, command="wc"))]
    _, turns = read_one(write(tmp_path / "session-1.jsonl", lines))
    result = turns[-1]
    printed = "Exit Code: 7\nOutput: x\nExit Code: 7\nbye"
    assert (result.text, result.exit_code) == (printed if text is None else text, exit_code)
    assert result.failed is bool(exit_code)


def test_subagents_and_the_project_folder_are_found_by_their_place(tmp_path: Path) -> None:
    (tmp_path / ".project_root").write_text("/home/ann/proj")
    path = tmp_path / "chats" / "gem-1" / "agent-7.jsonl"
    head = gemini_head(sessionId="agent-7", kind="subagent")
    conversation, _ = read_one(write(path, [head, gemini_asks("m1", "look")]))
    assert conversation.heading.parent_external_id == "gem-1"
    assert conversation.heading.cwd == "/home/ann/proj"
