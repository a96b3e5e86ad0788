"""Claude Code: the branch that the user kept, whole, and nothing that nobody said or did."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hermes.ingest.turns import TurnKind

from .reader_samples import (
    SESSION,
    Line,
    answers,
    asks,
    claude,
    claude_session,
    gets,
    read_all,
    read_one,
    said,
    uses,
    words,
    write,
)


def test_a_session_becomes_its_turns(tmp_path: Path) -> None:
    conversation, turns = read_one(write(tmp_path / f"{SESSION}.jsonl", claude_session()))
    heading = conversation.heading
    assert (heading.source, heading.external_id) == ("claude-code", SESSION)
    assert (heading.cwd, heading.model) == ("/home/ann/proj", "claude-sonnet-4-5")
    assert heading.started_at == datetime(2026, 3, 1, 22, 38, 47, 557000, tzinfo=UTC)
    assert said(turns) == [
        "user:count the rows",
        "call:Bash",
        "result:12 a.csv",
        "assistant:There are 12.",
    ]
    call, result = turns[1], turns[2]
    assert (call.call_id, call.arguments) == ("t1", {"command": "wc -l a.csv"})
    assert (result.call_id, result.failed) == ("t1", False)
    assert result.data == {"stdout": "12 a.csv"}
    assert not conversation.problems
    assert conversation.bytes_read == conversation.file.stat().st_size


def test_a_question_asked_anew_leaves_the_first_branch_out(tmp_path: Path) -> None:
    lines = [
        asks("u1", None, "hello"),
        answers("a1", "u1", words("hi")),
        asks("u2", "a1", "make it red"),
        answers("a2", "u2", uses("t1", command="paint red")),
        gets("r2", "a2", "t1", "red"),
        asks("u3", "a1", "make it blue"),
        answers("a3", "u3", words("blue")),
    ]
    _, turns = read_one(write(tmp_path / "s.jsonl", lines))
    assert said(turns) == [
        "user:hello",
        "assistant:hi",
        "user:make it blue",
        "assistant:blue",
    ]


def test_going_back_to_the_first_message_starts_over(tmp_path: Path) -> None:
    lines = [asks("u1", None, "one"), answers("a1", "u1", words("1")), asks("u2", None, "two")]
    _, turns = read_one(write(tmp_path / "s.jsonl", lines))
    assert said(turns) == ["user:two"]


def test_parallel_calls_keep_the_results_on_side_branches(tmp_path: Path) -> None:
    lines = [
        asks("u1", None, "both"),
        answers("a1", "u1", uses("t1", command="one"), message_id="m"),
        answers("a2", "a1", uses("t2", command="two"), message_id="m"),
        claude("progress", "p1", "a1", data={"type": "hook_progress"}),
        gets("r1", "p1", "t1", "first"),
        gets("r2", "a2", "t2", "second"),
        answers("a3", "r2", words("done")),
    ]
    _, turns = read_one(write(tmp_path / "s.jsonl", lines))
    results = {turn.call_id: turn.text for turn in turns if turn.kind is TurnKind.RESULT}
    assert results == {"t1": "first", "t2": "second"}


def test_an_answer_stays_whole_when_its_lines_branch(tmp_path: Path) -> None:
    lines = [
        asks("u1", None, "both"),
        answers("a1", "u1", uses("t1", command="one"), message_id="m"),
        gets("r1", "a1", "t1", "first"),
        answers("a2", "a1", uses("t2", command="two"), message_id="m"),
        gets("r2", "a2", "t2", "second"),
        answers("a3", "r1", words("done"), message_id="n"),
    ]
    _, turns = read_one(write(tmp_path / "s.jsonl", lines))
    assert [turn.call_id for turn in turns if turn.kind is TurnKind.CALL] == ["t1", "t2"]
    assert [turn.text for turn in turns if turn.kind is TurnKind.RESULT] == ["first", "second"]


def test_a_late_result_does_not_move_the_branch(tmp_path: Path) -> None:
    lines = [
        asks("u1", None, "both"),
        answers("a1", "u1", uses("t1", command="slow &")),
        asks("u2", "a1", "meanwhile"),
        answers("a2", "u2", words("yes")),
        gets("r1", "a1", "t1", "finished"),
        claude("progress", "p1", "u1"),
    ]
    _, turns = read_one(write(tmp_path / "s.jsonl", lines))
    assert said(turns) == [
        "user:both",
        "call:Bash",
        "user:meanwhile",
        "assistant:yes",
        "result:finished",
    ]


def test_tokens_are_counted_once_per_answer_by_its_last_line(tmp_path: Path) -> None:
    lines = [
        asks("u1", None, "x"),
        answers("a1", "u1", words("thinking aloud"), message_id="m", output_tokens=1),
        answers("a2", "a1", uses("t1", command="one"), message_id="m", output_tokens=50),
    ]
    _, turns = read_one(write(tmp_path / "s.jsonl", lines))
    assert [turn.tokens for turn in turns] == [None, None, 5 + 100 + 50]


def test_a_compaction_is_crossed_and_its_summary_is_nobody_s_words(tmp_path: Path) -> None:
    boundary = claude("system", "c1", None, subtype="compact_boundary", logicalParentUuid="a1")
    lines = [
        asks("u1", None, "before"),
        answers("a1", "u1", words("yes")),
        boundary,
        asks("s1", "c1", "This session is being continued", isCompactSummary=True),
        asks("u2", "s1", "after"),
    ]
    path = write(tmp_path / "s.jsonl", lines)
    assert said(read_one(path)[1]) == ["user:before", "assistant:yes", "user:after"]
    write(path, [*lines[:2], boundary | {"logicalParentUuid": "lost"}, *lines[3:]])
    assert said(read_one(path)[1]) == ["user:before", "assistant:yes", "user:after"]


def test_subagents_are_conversations_of_their_own(tmp_path: Path) -> None:
    side = {"isSidechain": True, "agentId": "a77"}
    write(tmp_path / f"{SESSION}.jsonl", claude_session())
    lines = [asks("x1", None, "look", **side), answers("x2", "x1", words("seen"), **side)]
    write(tmp_path / SESSION / "subagents" / "agent-a77.jsonl", lines)
    parent, child = read_all(tmp_path)
    assert parent[0].heading.parent_external_id is None
    assert child[0].heading.external_id == f"{SESSION}/a77"
    assert child[0].heading.parent_external_id == SESSION
    assert said(child[1]) == ["user:look", "assistant:seen"]


def test_older_logs_keep_unnamed_subagents_in_the_same_file(tmp_path: Path) -> None:
    side = {"isSidechain": True}
    lines = [
        *claude_session()[:2],
        asks("x1", None, "first task", **side),
        asks("y1", None, "second task", **side),
        answers("x2", "x1", words("one"), **side),
        answers("y2", "y1", words("two"), **side),
        *claude_session()[2:],
    ]
    main, first, second = read_all(write(tmp_path / "s.jsonl", lines))
    assert said(main[1])[-1] == "assistant:There are 12."
    assert said(first[1]) == ["user:first task", "assistant:one"]
    assert said(second[1]) == ["user:second task", "assistant:two"]
    assert {first[0].heading.parent_external_id} == {SESSION}
    assert first[0].heading.external_id != second[0].heading.external_id


def test_interleaved_sessions_are_told_apart(tmp_path: Path) -> None:
    one, two = claude_session("one", "p"), claude_session("two", "q")
    mixed = [line for pair in zip(one, two, strict=True) for line in pair]
    found = read_all(write(tmp_path / "s.jsonl", mixed))
    assert [conversation.heading.external_id for conversation, _ in found] == ["one", "two"]
    assert said(found[0][1]) == said(found[1][1])
    assert {turn.key[0] for turn in found[0][1]} == {"p"}


def test_a_resumed_session_names_the_one_it_goes_on_from(tmp_path: Path) -> None:
    lines = [*claude_session("old"), asks("n1", "a2", "and now?", sessionId="new")]
    old, new = read_all(write(tmp_path / "new.jsonl", lines))
    assert (old[0].heading.external_id, new[0].heading.external_id) == ("old", "new")
    assert new[0].heading.parent_external_id == "old"
    assert said(new[1]) == ["user:and now?"]


def test_a_broken_line_does_not_cut_off_what_came_before(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", claude_session())
    raw = path.read_text().splitlines()
    raw[2] = raw[2][:50]
    path.write_text("\n".join(raw) + "\n")
    conversation, turns = read_one(path)
    assert said(turns) == ["user:count the rows", "call:Bash", "assistant:There are 12."]
    (problem,) = conversation.problems
    assert str(problem).startswith(f"{path}:3: not JSON")


def test_a_last_line_that_is_still_being_written_is_said_to_be(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", claude_session())
    path.write_bytes(path.read_bytes()[:-40])
    conversation, turns = read_one(path)
    assert len(turns) == 3
    assert "may still be writing" in conversation.problems[0].what
    assert conversation.problems[0].line == 4


def test_repeated_lines_count_once(tmp_path: Path) -> None:
    once = claude_session()
    conversation, turns = read_one(write(tmp_path / "s.jsonl", [*once[:2], *once, once[3]]))
    assert len(turns) == 4
    assert [problem.line for problem in conversation.problems] == [3]
    assert conversation.problems[0].what == "repeated lines were left out: 3"


def test_the_order_of_the_file_wins_over_the_clock(tmp_path: Path) -> None:
    lines = claude_session()
    for hour, line in zip((9, 3, 7, 1), lines, strict=True):
        line["timestamp"] = f"2026-03-01T0{hour}:00:00Z"
    _, turns = read_one(write(tmp_path / "s.jsonl", lines))
    assert [turn.kind for turn in turns] == ["user", "call", "result", "assistant"]


def test_unknown_lines_are_counted_and_still_link(tmp_path: Path) -> None:
    lines = [
        asks("u1", None, "x"),
        claude("hologram", "h1", "u1"),
        answers("a1", "h1", words("y"), {"type": "smell", "data": 1}),
        {"type": "weather", "sessionId": SESSION},
        {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {}},
    ]
    conversation, turns = read_one(write(tmp_path / "s.jsonl", lines))
    assert said(turns) == ["user:x", "assistant:y"]
    assert conversation.unknown == {"hologram": 1, "weather": 1, "block smell": 1}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (asks("u1", None, "caveat", isMeta=True), []),
        (asks("u1", None, "<local-command-stdout>ok</local-command-stdout>"), []),
        (
            asks(
                "u1",
                None,
                "<command-message>tidy</command-message>\n<command-name>/tidy</command-name>\n"
                "<command-args>src tests</command-args>",
            ),
            ["user:/tidy src tests"],
        ),
        (asks("u1", None, "go <system-reminder>be good</system-reminder>"), ["user:go"]),
        (
            claude("attachment", "u1", None, attachment={"type": "queued_command", "prompt": "no"}),
            ["user:no"],
        ),
        (answers("u1", None, words("API Error: 500"), model="<synthetic>"), []),
    ],
)
def test_only_what_was_said_is_a_turn(tmp_path: Path, line: Line, expected: list[str]) -> None:
    lines = [line, answers("z", "u1", words("end"))]
    _, turns = read_one(write(tmp_path / "s.jsonl", lines))
    assert said(turns) == [*expected, "assistant:end"]


def test_breaking_off_marks_the_turn_before(tmp_path: Path) -> None:
    stop = [words("[Request interrupted by user for tool use]")]
    lines = [
        asks("u1", None, "x"),
        answers("a1", "u1", uses("t1", command="rm -r build")),
        claude("user", "u2", "a1", message={"role": "user", "content": stop}),
        asks("u3", "u2", "not that folder"),
    ]
    _, turns = read_one(write(tmp_path / "s.jsonl", lines))
    assert said(turns) == ["user:x", "call:Bash", "user:not that folder"]
    assert [turn.data.get("interrupted") for turn in turns] == [None, True, None]


@pytest.mark.parametrize(
    ("result", "failed", "exit_code"),
    [
        (gets("r", "a", "t", "Exit code 2\nno such file", is_error=True), True, 2),
        (gets("r", "a", "t", "<tool_use_error>no</tool_use_error>", is_error=True), True, None),
        (gets("r", "a", "t", "fine", toolUseResult={"stdout": "", "exitCode": 0}), False, 0),
        (gets("r", "a", "t", "Exit code 2 is what I print"), False, None),
        (gets("r", "a", "t", "", toolUseResult={"interrupted": True}), True, None),
        (gets("r", "a", "t", [words("in parts"), {"type": "image"}]), False, None),
    ],
)
def test_a_result_says_whether_it_failed(
    tmp_path: Path, result: Line, failed: bool, exit_code: int | None
) -> None:
    lines = [asks("u", None, "x"), answers("a", "u", uses("t", command="c")), result]
    _, turns = read_one(write(tmp_path / "s.jsonl", lines))
    assert (turns[-1].failed, turns[-1].exit_code) == (failed, exit_code)


def test_a_leaf_the_user_went_back_to_decides_until_something_is_said(tmp_path: Path) -> None:
    pin = {"type": "last-prompt", "leafUuid": "a1", "explicit": True, "sessionId": SESSION}
    lines = [
        asks("u1", None, "one"),
        answers("a1", "u1", words("1")),
        asks("u2", "a1", "two"),
        pin,
    ]
    path = write(tmp_path / "s.jsonl", lines)
    assert said(read_one(path)[1]) == ["user:one", "assistant:1"]
    write(path, [*lines, asks("u3", "u2", "three")])
    assert said(read_one(path)[1])[-2:] == ["user:two", "user:three"]


def test_a_grown_log_begins_as_the_shorter_one_did(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", claude_session())
    before = read_one(path)[1]
    with path.open("a") as file:
        file.write(json.dumps(asks("u9", "a2", "thanks")) + "\n")
    after = read_one(path)[1]
    assert after[: len(before)] == before
    assert len({turn.key for turn in after}) == len(after) == 5


def test_titles_are_read(tmp_path: Path) -> None:
    title = {"type": "custom-title", "customTitle": "Rows", "sessionId": SESSION}
    conversation, _ = read_one(write(tmp_path / "s.jsonl", [*claude_session(), title]))
    assert conversation.heading.title == "Rows"
