"""Codex: a fork's file begins with its parent's history, which is not told a second time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import zstandard

from hermes.ingest.formats.codex_forks import rollout_of

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

FORK = "019a0001-0000-7000-8000-00000000000b"
PARENT_NAME = f"rollout-2026-02-10T02-13-30-{THREAD}.jsonl"
FORK_NAME = f"rollout-2026-02-11T10-00-00-{FORK}.jsonl"
AGAIN = [
    codex_says("user", "and the columns?"),
    codex_call("c9", command=["bash", "-lc", "head -1 a.csv"]),
    codex_output("c9", "a,b"),
    codex_says("assistant", "Two."),
]
NEW = ["user:and the columns?", "call:shell", "result:a,b", "assistant:Two."]
LATER = [codex_says("user", "plot them"), codex_says("assistant", "Plotted.")]


def copied(lines: list[Line]) -> list[Line]:
    """As Codex writes a copy: the same items, but all at the moment of the fork."""
    return [{**line, "timestamp": "2026-02-11T10:00:00.000Z"} for line in lines]


def fork(history: list[Line], own: list[Line], **meta: Any) -> list[Line]:
    first = codex_meta(id=FORK, timestamp="2026-02-11T10:00:00Z", **meta)
    return [first, *copied(history), *own]


@pytest.mark.parametrize("meta", [{"forked_from_id": THREAD}, {}])
def test_only_what_is_new_is_read_and_the_parent_is_named(
    tmp_path: Path, meta: dict[str, str]
) -> None:
    """Older versions do not name the parent, but its first line is copied too."""
    write(tmp_path / PARENT_NAME, [*codex_session(), *LATER])
    path = write(tmp_path / FORK_NAME, fork(codex_session(), AGAIN, **meta))
    conversation, turns = read_one(path)
    assert said(turns) == NEW
    assert conversation.heading.external_id == FORK
    assert conversation.heading.parent_external_id == THREAD
    assert conversation.bytes_read == path.stat().st_size


def test_a_fork_that_says_nothing_of_its_own_has_no_turns(tmp_path: Path) -> None:
    write(tmp_path / PARENT_NAME, codex_session())
    path = write(tmp_path / FORK_NAME, fork(codex_session(), [], forked_from_id=THREAD))
    conversation, turns = read_one(path)
    assert (turns, conversation.problems) == ([], [])


def test_the_same_asked_again_is_new_work(tmp_path: Path) -> None:
    parent = [*codex_session(), *AGAIN]
    write(tmp_path / PARENT_NAME, parent)
    other = [AGAIN[0], codex_says("assistant", "Three.")]
    path = write(tmp_path / FORK_NAME, fork(codex_session(), other, forked_from_id=THREAD))
    assert said(read_one(path)[1]) == ["user:and the columns?", "assistant:Three."]


def test_a_copy_that_leaves_something_out_is_still_a_copy(tmp_path: Path) -> None:
    write(tmp_path / PARENT_NAME, [*codex_session(), *AGAIN])
    without = [line for line in codex_session() if line["payload"].get("type") != "reasoning"]
    path = write(tmp_path / FORK_NAME, fork(without, LATER, forked_from_id=THREAD))
    assert said(read_one(path)[1]) == ["user:plot them", "assistant:Plotted."]


def test_a_fork_of_a_fork_takes_only_its_own(tmp_path: Path) -> None:
    third = "019a0002-0000-7000-8000-00000000000c"
    write(tmp_path / PARENT_NAME, codex_session())
    first = fork(codex_session(), AGAIN, forked_from_id=THREAD)
    write(tmp_path / FORK_NAME, first)
    second = [codex_meta(id=third, forked_from_id=FORK), *copied(first), *LATER]
    path = write(tmp_path / f"rollout-2026-02-12T10-00-00-{third}.jsonl", second)
    conversation, turns = read_one(path)
    assert said(turns) == ["user:plot them", "assistant:Plotted."]
    assert conversation.heading.parent_external_id == FORK


def test_turns_that_a_fork_takes_back_are_left_out_too(tmp_path: Path) -> None:
    write(tmp_path / PARENT_NAME, [*codex_session(), *AGAIN])
    one, two = (codex("event_msg", type="thread_rolled_back", num_turns=n) for n in (1, 2))
    gone = [codex_says("user", "never mind"), codex_says("assistant", "As you like.")]
    for own in ([one, *LATER], [*gone, one, *LATER], [*gone, two, *LATER]):
        lines = fork([*codex_session(), *AGAIN], own, forked_from_id=THREAD)
        path = write(tmp_path / FORK_NAME, lines)
        assert said(read_one(path)[1]) == ["user:plot them", "assistant:Plotted."]


def test_without_its_parent_the_copy_is_read(tmp_path: Path) -> None:
    lines = fork(codex_session(), AGAIN, forked_from_id=THREAD)
    conversation, turns = read_one(write(tmp_path / FORK_NAME, lines))
    assert len(turns) == 9
    assert conversation.heading.parent_external_id == THREAD


def test_a_parent_of_another_day_is_found_also_packed(tmp_path: Path) -> None:
    sessions = tmp_path / "sessions"
    there = write(sessions / "2025" / "10" / "20" / PARENT_NAME, codex_session())
    packed = there.with_name(f"{there.name}.zst")
    packed.write_bytes(zstandard.compress(there.read_bytes()))
    there.unlink()
    lines = fork(codex_session(), AGAIN, forked_from_id=THREAD)
    path = write(sessions / "2026" / "02" / "11" / FORK_NAME, lines)
    assert said(read_one(path)[1]) == NEW


@pytest.mark.parametrize("name", ["../../etc", "*", "", "p-1", f"{THREAD}/.."])
def test_a_name_that_is_no_id_leads_nowhere(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / PARENT_NAME, codex_session())
    assert rollout_of(name, path) is None
    assert rollout_of(THREAD, path) is None, "no thread is its own parent"


def test_a_parent_of_something_else_hides_nothing(tmp_path: Path) -> None:
    other = [codex_meta(), item("reasoning", summary=[]), codex_says("user", "unrelated")]
    write(tmp_path / PARENT_NAME, other)
    path = write(tmp_path / FORK_NAME, fork([], AGAIN, forked_from_id=THREAD))
    assert said(read_one(path)[1]) == NEW
