"""ShareGPT, OpenAI chat data and ATIF: whole conversations, one per line or per document."""

from __future__ import annotations

import json
from pathlib import Path

from .reader_samples import Line, read_all, read_one, said, write

SHAREGPT: Line = {
    "conversations": [
        {"from": "system", "value": "You may call tools. <tools>[]</tools>"},
        {"from": "human", "value": "count"},
        {
            "from": "gpt",
            "value": "<think>\nuse wc\n</think>\nLooking.\n"
            '<tool_call>\n{"name": "terminal", "arguments": {"command": "wc a"}}\n</tool_call>\n'
            '<tool_call>\n{"name": "terminal", "arguments": {"command": "wc b"}}\n</tool_call>',
        },
        {
            "from": "tool",
            "value": '<tool_response>\n{"tool_call_id": "x", "name": "terminal", '
            '"content": {"output": "12", "exit_code": 0}}\n</tool_response>\n'
            '<tool_response>\n{"tool_call_id": "y", "name": "terminal", '
            '"content": "{\\"output\\": \\"\\", \\"exit_code\\": 1, \\"error\\": \\"gone\\"}"}\n'
            "</tool_response>",
        },
        {"from": "gpt", "value": "<think>\n</think>\nTwelve."},
    ],
    "timestamp": "2026-01-01T00:00:00",
    "model": "hermes-4",
    "completed": True,
}
CALL = {"id": "c1", "type": "function", "function": {"name": "sh", "arguments": '{"cmd": "ls"}'}}
CHAT: Line = {
    "messages": [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": [{"type": "text", "text": "list"}]},
        {"role": "assistant", "content": None, "tool_calls": [CALL], "reasoning_content": "ls"},
        {"role": "tool", "tool_call_id": "c1", "content": "a.csv"},
        {"role": "assistant", "content": "a.csv"},
    ],
    "tools": [],
}
ATIF: Line = {
    "schema_version": "ATIF-v1.8",
    "session_id": "t-1",
    "agent": {"name": "x", "version": "1", "model_name": "m"},
    "steps": [
        {"step_id": 1, "source": "system", "message": "rules"},
        {"step_id": 2, "source": "user", "message": "list", "timestamp": "2026-01-01T00:00:00Z"},
        {
            "step_id": 3,
            "source": "agent",
            "message": "Looking.",
            "reasoning_content": "ls",
            "tool_calls": [
                {"tool_call_id": "c1", "function_name": "sh", "arguments": {"cmd": "ls"}}
            ],
            "observation": {"results": [{"source_call_id": "c1", "content": "a.csv"}]},
            "metrics": {"prompt_tokens": 100, "completion_tokens": 5, "cached_tokens": 90},
        },
    ],
}


def test_the_hermes_variant_of_sharegpt(tmp_path: Path) -> None:
    conversation, turns = read_one(write(tmp_path / "samples.jsonl", [SHAREGPT]))
    assert (conversation.heading.source, conversation.heading.model) == ("sharegpt", "hermes-4")
    assert said(turns) == [
        "user:count",
        "thought:use wc",
        "assistant:Looking.",
        "call:terminal",
        "call:terminal",
        "result:terminal",
        "result:terminal",
        "assistant:Twelve.",
    ]
    calls, results = turns[3:5], turns[5:7]
    assert [call.call_id for call in calls] == [result.call_id for result in results]
    assert [result.text for result in results] == ["12", "gone"]
    assert [(result.failed, result.exit_code) for result in results] == [(False, 0), (True, 1)]


def test_plain_sharegpt_as_a_list_in_one_file(tmp_path: Path) -> None:
    talk = [{"from": "human", "value": "hi"}, {"from": "gpt", "value": "ho"}]
    path = tmp_path / "train.json"
    path.write_text(json.dumps([{"id": "one", "conversations": talk}, {"conversations": talk}]))
    first, second = read_all(path)
    assert first[0].heading.external_id == "one"
    assert len(second[0].heading.external_id) == 64
    assert said(first[1]) == said(second[1]) == ["user:hi", "assistant:ho"]


def test_openai_chat(tmp_path: Path) -> None:
    conversation, turns = read_one(write(tmp_path / "chat.jsonl", [CHAT]))
    assert conversation.heading.source == "openai"
    assert said(turns) == [
        "user:list",
        "thought:ls",
        "call:sh",
        "result:a.csv",
        "assistant:a.csv",
    ]
    assert turns[2].arguments == {"cmd": "ls"}
    assert turns[3].failed is None


def test_a_line_s_content_is_its_id_wherever_the_file_lies(tmp_path: Path) -> None:
    one = read_one(write(tmp_path / "a.jsonl", [CHAT]))[0].heading.external_id
    other = read_one(write(tmp_path / "elsewhere" / "b.jsonl", [CHAT]))[0].heading.external_id
    assert one == other


def test_broken_lines_between_conversations_are_told(tmp_path: Path) -> None:
    path = write(tmp_path / "chat.jsonl", [CHAT, CHAT | {"id": "two"}])
    first, second = path.read_text().splitlines()
    path.write_text(f"{first}\n[1]\n{second}\n{second[:99]}\n")
    found = read_all(path)
    assert [len(turns) for _, turns in found] == [5, 5, 0]
    assert [[problem.line for problem in one.problems] for one, _ in found] == [[], [2], [4]]


def test_atif(tmp_path: Path) -> None:
    child = ATIF | {"trajectory_id": "t-1-sub"}
    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps(ATIF | {"subagent_trajectories": [child]}, indent=2))
    parent, sub = read_all(path)
    assert (parent[0].heading.source, parent[0].heading.external_id) == ("atif", "t-1")
    assert (sub[0].heading.external_id, sub[0].heading.parent_external_id) == ("t-1-sub", "t-1")
    expected = ["user:list", "thought:ls", "assistant:Looking.", "call:sh", "result:a.csv"]
    assert said(parent[1]) == said(sub[1]) == expected
    assert parent[1][3].tokens == 15
    assert parent[1][4].call_id == "c1"


def test_an_atif_document_that_is_cut_off_is_told(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps(ATIF, indent=2)[:-30])
    conversation, turns = read_one(path)
    assert not turns
    assert "not JSON" in conversation.problems[0].what
