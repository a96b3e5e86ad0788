"""ATIF: every shape that a document may have, and those that it must not have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hermes.ingest.turns import Turn

from .reader_samples import Line, read_all, read_one, said
from .test_dataset_readers import ATIF

PLOT = {"tool_call_id": "c1", "function_name": "sh", "arguments": {"cmd": "plot"}}
COUNT = {"tool_call_id": "c2", "function_name": "count", "arguments": {}, "extra": {"retries": 1}}
PICTURE = {"type": "image", "source": {"media_type": "image/png", "path": "a.png"}}
SOUND = {"type": "audio", "source": {"media_type": "audio/wav", "path": "a.wav"}}


def step(source: str, message: Any, **more: Any) -> Line:
    return {"source": source, "message": message, **more}


def document(*steps: Line, **more: Any) -> Line:
    numbered = [{"step_id": number, **one} for number, one in enumerate(steps, 1)]
    agent = {"name": "terminus", "version": "2"}
    return {"schema_version": "ATIF-v1.8", "agent": agent, "steps": numbered, **more}


def turns_of(tmp_path: Path, *steps: Line, **more: Any) -> list[Turn]:
    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps(document(*steps, session_id="run-1", **more)))
    conversation, turns = read_one(path)
    assert not conversation.problems
    assert not conversation.unknown
    return turns


def test_a_document_with_everything(tmp_path: Path) -> None:
    whole = document(
        step("system", "You are an agent", timestamp="2026-01-01T10:00:00Z"),
        step("user", "plot the rows", timestamp="2026-01-01T10:00:01Z", extra={"ui": "cli"}),
        step(
            "agent",
            "Plotting.",
            timestamp="2026-01-01T10:00:02+00:00",
            model_name="m-2",
            reasoning_effort="high",
            reasoning_content="rows first",
            llm_call_count=1,
            tool_calls=[PLOT, COUNT],
            observation={
                "results": [
                    {"source_call_id": "c1", "content": [PICTURE, {"type": "text", "text": "ok"}]},
                    {"source_call_id": "c2", "content": "12", "extra": {"confidence": 0.9}},
                ]
            },
            metrics={
                "prompt_tokens": 90,
                "completion_tokens": 20,
                "cached_tokens": 60,
                "cost_usd": 0.1,
                "logprobs": [-0.1],
                "completion_token_ids": [7],
            },
        ),
        step("agent", "Done: 12 rows."),
        session_id="run-1",
        trajectory_id="t-1",
        notes="made by hand",
        final_metrics={"total_prompt_tokens": 90, "total_steps": 4},
        extra={"cwd": "/p"},
    )
    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps(whole))
    conversation, turns = read_one(path)
    heading = conversation.heading
    assert (heading.source, heading.external_id, heading.cwd) == ("atif", "t-1", "/p")
    assert heading.model == "m-2", "no model of the whole: that of the first step that has one"
    assert said(turns) == [
        "user:plot the rows",
        "thought:rows first",
        "assistant:Plotting.",
        "call:sh",
        "call:count",
        "result:[image]\nok",
        "result:12",
        "assistant:Done: 12 rows.",
    ]
    assert [turn.call_id for turn in turns[3:7]] == ["c1", "c2", "c1", "c2"]
    assert (turns[3].arguments, turns[4].arguments) == ({"cmd": "plot"}, {})
    assert turns[6].data == {"confidence": 0.9}
    assert [turn.tokens for turn in turns] == [None, None, None, None, 50, None, None, None]
    assert [turn.at is None for turn in turns] == [False] * 7 + [True]
    assert (conversation.problems, conversation.unknown) == ([], {})


@pytest.mark.parametrize("minor", range(9))
def test_every_version_is_known(tmp_path: Path, minor: int) -> None:
    version = f"ATIF-v1.{minor}"
    turns = turns_of(tmp_path, step("user", "hi"), step("agent", "ho"), schema_version=version)
    assert said(turns) == ["user:hi", "assistant:ho"]


def test_words_may_come_in_parts(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "what is this?"}, PICTURE, SOUND]
    turns = turns_of(tmp_path, step("user", parts), step("agent", [{"type": "text", "text": "x"}]))
    assert said(turns) == ["user:what is this?\n[image]\n[audio]", "assistant:x"]


@pytest.mark.parametrize("source", ["agent", "system", "user"])
def test_a_result_may_belong_to_no_call(tmp_path: Path, source: str) -> None:
    """A terminal that is watched, or an environment that says something of itself."""
    seen = {"results": [{"content": "screen"}, {"source_call_id": None, "content": None}]}
    turns = turns_of(tmp_path, step(source, "", observation=seen))
    assert [(turn.kind, turn.text, turn.call_id) for turn in turns] == [
        ("result", "screen", ""),
        ("result", "", ""),
    ]


def test_what_was_copied_for_context_is_not_told_again(tmp_path: Path) -> None:
    told = [step("user", "count"), *(step("agent", word) for word in ("One.", "Two.", "Three."))]
    copied = [{**one, "is_copied_context": True} for one in (told[0], told[-1])]
    new = [step("user", "and now?"), step("agent", "Thirteen.")]
    ref = "trajectory.cont-1.json"
    first = document(*told, session_id="r", continued_trajectory_ref=ref)
    (tmp_path / "trajectory.json").write_text(json.dumps(first))
    (tmp_path / ref).write_text(json.dumps(document(*copied, *new, session_id="r")))
    found = {one.file.name: (one.heading.external_id, turns) for one, turns in read_all(tmp_path)}
    (session, before), (same_session, after) = found["trajectory.json"], found[ref]
    assert session == same_session == "r"
    assert said(before) == ["user:count", "assistant:One.", "assistant:Two.", "assistant:Three."]
    assert said(after) == ["user:and now?", "assistant:Thirteen."]
    assert len({turn.key for turn in (*before, *after)}) == 6, "one session, no key twice"


def test_subagents_need_no_session_of_their_own(tmp_path: Path) -> None:
    answer = step("agent", "ok")
    inner = document(step("user", "deepest"), answer, trajectory_id="t-3")
    subs = [
        document(step("user", "look"), answer, trajectory_id="t-2", session_id="run-1"),
        document(
            step("user", "look again"), answer, session_id="run-1", subagent_trajectories=[inner]
        ),
    ]
    ref = [{"trajectory_id": "t-2"}, {"trajectory_path": "elsewhere.json"}]
    seen = {"results": [{"source_call_id": "c1", "subagent_trajectory_ref": ref}]}
    first = step("agent", "", tool_calls=[PLOT], observation=seen)
    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps(document(first, session_id="run-1", subagent_trajectories=subs)))
    found = [(one.heading.external_id, one.heading.parent_external_id) for one, _ in read_all(path)]
    unnamed = "run-1/1"
    assert found == [("run-1", None), ("t-2", "run-1"), (unnamed, "run-1"), ("t-3", unnamed)]


@pytest.mark.parametrize(
    ("steps", "unknown"),
    [
        ([{"source": "ghost", "message": "boo"}], {"source ghost": 1}),
        ([{"message": "boo"}, 7], {"source missing": 2}),
        ([{"source": "agent", "message": None, "tool_calls": "none", "observation": []}], {}),
        ([{"source": "agent", "message": 1, "tool_calls": [None], "metrics": {"x": []}}], {}),
    ],
)
def test_a_step_of_the_wrong_shape_is_counted_and_stops_nothing(
    tmp_path: Path, steps: list[Any], unknown: dict[str, int]
) -> None:
    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps(ATIF | {"steps": [*steps, step("user", "hello")]}))
    conversation, turns = read_one(path)
    assert conversation.unknown == unknown
    assert said(turns)[-1] == "user:hello"


def test_a_document_without_steps_is_told(tmp_path: Path) -> None:
    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps(ATIF | {"steps": []}))
    conversation, turns = read_one(path)
    assert not turns
    assert [problem.what for problem in conversation.problems] == ["a trajectory without steps"]
