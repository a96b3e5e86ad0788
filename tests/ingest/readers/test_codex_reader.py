"""Codex: rollouts, compressed or not; what was rolled back is gone, what was compacted is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from hermes.ingest.turns import TurnKind

from .reader_samples import (
    THREAD,
    Line,
    codex,
    codex_call,
    codex_meta,
    codex_output,
    codex_says,
    codex_session,
    item,
    read_one,
    said,
    write,
)

NAME = f"rollout-2026-02-10T02-13-30-{THREAD}.jsonl"


def test_a_rollout_becomes_its_turns(tmp_path: Path) -> None:
    conversation, turns = read_one(write(tmp_path / NAME, codex_session()))
    heading = conversation.heading
    assert (heading.source, heading.external_id, heading.cwd) == ("codex", THREAD, "/p")
    assert heading.model == "gpt-5-codex"
    assert said(turns) == [
        "user:count the rows",
        "thought:Use wc",
        "call:shell",
        "result:12 a.csv\n",
        "assistant:There are 12.",
    ]
    assert turns[2].arguments == {"command": ["bash", "-lc", "wc -l a.csv"]}
    assert (turns[3].failed, turns[3].exit_code) == (False, 0)
    assert not conversation.problems
    assert not conversation.unknown


def test_a_compressed_rollout_is_the_same(tmp_path: Path) -> None:
    plain = write(tmp_path / NAME, codex_session())
    packed = tmp_path / f"{NAME}.zst"
    packed.write_bytes(zstandard.compress(plain.read_bytes()))
    assert read_one(packed)[1] == read_one(plain)[1]
    assert read_one(packed)[0].heading.external_id == THREAD


def test_a_damaged_archive_is_told(tmp_path: Path) -> None:
    packed = tmp_path / f"{NAME}.zst"
    text = b"\n".join(json.dumps(one).encode() for one in codex_session())
    data = zstandard.ZstdCompressor(write_checksum=True).compress(text)
    packed.write_bytes(data[:-4] + b"\xff" * 4)
    conversation, turns = read_one(packed)
    assert not turns
    assert "cannot be read" in conversation.problems[0].what


@pytest.mark.parametrize(
    ("output", "text", "exit_code"),
    [
        ("Exit code: 1\nWall time: 0.1 seconds\nOutput:\nboom", "boom", 1),
        (
            "Chunk ID: 3fa9\nWall time: 4.2 seconds\nProcess exited with code 128\n"
            "Original token count: 58\nOutput:\nfatal",
            "fatal",
            128,
        ),
        (json.dumps({"output": "x\n", "metadata": {"exit_code": 3}}), "x\n", 3),
        (
            [{"type": "input_text", "text": "plain"}, {"type": "input_image"}],
            "plain\n[image]",
            None,
        ),
        ("Plan updated", "Plan updated", None),
        ("He said\nExit code: 7\n", "He said\nExit code: 7\n", None),
        ('{"broken', '{"broken', None),
        ({"content": "no", "success": False}, "no", None),
    ],
)
def test_outputs_are_unwrapped(
    tmp_path: Path, output: Any, text: str, exit_code: int | None
) -> None:
    lines = [codex_meta(), codex_call("c1", command=["x"]), codex_output("c1", output)]
    _, turns = read_one(write(tmp_path / NAME, lines))
    assert (turns[1].text, turns[1].exit_code) == (text, exit_code)
    expected = {None: True if isinstance(output, dict) else None}.get(exit_code, True)
    assert turns[1].failed is expected


@pytest.mark.parametrize(
    ("call", "tool", "arguments"),
    [
        (codex_call("c", "update_plan", plan=[]), "update_plan", {"plan": []}),
        (
            item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="c"),
            "apply_patch",
            {"input": "*** Begin Patch"},
        ),
        (
            item("local_shell_call", call_id="c", action={"type": "exec", "command": ["ls"]}),
            "local_shell_call",
            {"type": "exec", "command": ["ls"]},
        ),
        (
            item("web_search_call", id="c", action={"type": "search", "query": "q", "url": None}),
            "web_search_call",
            {"type": "search", "query": "q"},
        ),
        (
            item("function_call", name="f", arguments="not json", call_id="c"),
            "f",
            {"input": "not json"},
        ),
    ],
)
def test_every_kind_of_call_is_read(
    tmp_path: Path, call: Line, tool: str, arguments: dict[str, Any]
) -> None:
    _, (turn,) = read_one(write(tmp_path / NAME, [codex_meta(), call]))
    assert (turn.kind, turn.tool, turn.call_id) == (TurnKind.CALL, tool, "c")
    assert turn.arguments == arguments


def test_turns_rolled_back_are_left_out(tmp_path: Path) -> None:
    lines = [
        codex_meta(),
        codex_says("user", "one"),
        codex_says("assistant", "1"),
        codex_says("user", "<environment_context>x</environment_context>"),
        codex_says("user", "two"),
        codex_says("assistant", "2"),
        codex_says("user", "three"),
        codex("event_msg", type="thread_rolled_back", num_turns=2),
        codex_says("user", "four"),
    ]
    _, turns = read_one(write(tmp_path / NAME, lines))
    assert said(turns) == ["user:one", "assistant:1", "user:four"]


def test_rolling_back_again_takes_back_what_is_left(tmp_path: Path) -> None:
    back = [codex("event_msg", type="thread_rolled_back", num_turns=count) for count in (1, 2, 9)]
    asked = [codex_says("user", name) for name in ("one", "two", "three", "four", "five")]
    lines = [codex_meta(), *asked[:3], back[0], asked[3], back[1], asked[4]]
    path = write(tmp_path / NAME, lines)
    assert said(read_one(path)[1]) == ["user:one", "user:five"]
    write(path, [*lines, back[2], codex_says("user", "anew")])
    assert said(read_one(path)[1]) == ["user:anew"]


def test_a_compaction_neither_loses_nor_repeats_a_turn(tmp_path: Path) -> None:
    history = [codex_says("user", "one")["payload"], {"type": "compaction"}]
    compacted = codex("compacted", message="summary", replacement_history=history)
    lines = [codex_meta(), codex_says("user", "one"), compacted, codex_says("user", "two")]
    _, turns = read_one(write(tmp_path / NAME, lines))
    assert said(turns) == ["user:one", "user:two"]
    _, turns = read_one(write(tmp_path / NAME, [lines[0], *lines[2:]]))
    assert said(turns) == ["user:one", "user:two"]


def test_events_tell_what_the_items_do_not(tmp_path: Path) -> None:
    usage = {"input_tokens": 900, "cached_input_tokens": 800, "output_tokens": 7}
    lines = [
        codex_meta(),
        codex_call("c1", "exec_command", cmd="x"),
        codex("event_msg", type="token_count", info={"last_token_usage": usage}),
        codex("event_msg", type="exec_command_end", call_id="c1", exit_code=5),
        codex_output("c1", "words only"),
        codex("event_msg", type="turn_aborted", reason="interrupted"),
    ]
    _, (call, result) = read_one(write(tmp_path / NAME, lines))
    assert call.tokens == 107
    assert (result.failed, result.exit_code) == (True, 5)
    assert result.data == {"interrupted": True}


def test_a_subagent_knows_its_parent(tmp_path: Path) -> None:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": "p-1", "depth": 1}}}
    path = write(tmp_path / NAME, [codex_meta(source=spawn), codex_says("user", "x")])
    assert read_one(path)[0].heading.parent_external_id == "p-1"


def test_the_oldest_form_had_no_envelopes(tmp_path: Path) -> None:
    lines = [
        {"id": "old-1", "timestamp": "2025-06-01T00:00:00Z", "instructions": None},
        {"record_type": "state"},
        codex_says("user", "hello")["payload"],
        codex_call("c1", command=["ls"])["payload"],
    ]
    conversation, turns = read_one(write(tmp_path / NAME, lines))
    assert conversation.heading.external_id == "old-1"
    assert said(turns) == ["user:hello", "call:shell"]
    assert not conversation.unknown


def test_unknown_items_are_counted(tmp_path: Path) -> None:
    lines = [*codex_session(), item("telepathy"), codex("aura", colour="blue")]
    conversation, turns = read_one(write(tmp_path / NAME, lines))
    assert len(turns) == 5
    assert conversation.unknown == {"item telepathy": 1, "aura": 1}


def test_repeated_lines_count_once(tmp_path: Path) -> None:
    once = codex_session()
    conversation, turns = read_one(write(tmp_path / NAME, [*once, *once[3:]]))
    assert len(turns) == 5
    assert [problem.what for problem in conversation.problems] == [
        "repeated lines were left out: 5"
    ]


def test_keys_are_places_and_stay(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, codex_session())
    before = read_one(path)[1]
    write(path, [*codex_session(), codex_says("user", "thanks")])
    after = read_one(path)[1]
    assert after[:-1] == before
    assert len({turn.key for turn in after}) == len(after)
