"""Broken lines, huge ones, the end of the input, signals: answered, or ended with a clear code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.mcp.lines import Lines, TooLong, id_in

from .conftest import COMMAND, environment

HELLO = {
    "jsonrpc": "2.0",
    "id": "hello",
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "by hand", "version": "1"},
    },
}
LISTING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def called(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def run(home: Path, sent: bytes, **more: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        COMMAND, env=environment(home), input=sent, capture_output=True, check=False, **more
    )


def test_every_line_is_answered_before_the_end(tmp_path: Path) -> None:
    lines = [
        json.dumps(HELLO).encode(),
        json.dumps(READY).encode(),
        b"this is no message",
        b"",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"jsonrpc": "2.0", "id": 7, "method": 5}',
        b'{"jsonrpc": "2.0", "id": 8, "method": "no/such"}',
        b'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": 3}}',
        b'{"id": 10, "x": "' + b"m" * 17_000_000 + b'"}',
        json.dumps(called(11, "memory_add", text="the anchor weighs a ton")).encode(),
    ]
    done = run(tmp_path / "home", b"\n".join(lines) + b"\n")
    assert (done.returncode, done.stderr) == (0, b"")
    answers = [json.loads(line) for line in done.stdout.splitlines()]  # protocol, and nothing else
    errors = [(one["id"], one["error"]["code"]) for one in answers if "error" in one]
    assert errors[:3] == [(None, -32700)] * 3
    assert sorted(errors[3:]) == [(7, -32600), (8, -32601), (9, -32602), (10, -32600)]
    results = {one["id"]: one["result"] for one in answers if "result" in one}
    assert results.keys() == {"hello", 11}
    assert results[11]["structuredContent"]["outcome"] == "kept"


def test_a_home_that_cannot_be_opened_is_told_in_one_line(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "loop").write_text("not a folder")
    done = run(home, json.dumps(HELLO).encode() + b"\n")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"hermes: ")
    assert done.stderr.count(b"\n") == 1


@contextmanager
def talked_to(home: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A server that has said hello, and the descriptor that its answers come out of."""
    source, answers = os.pipe()
    pipe = subprocess.PIPE
    with subprocess.Popen(
        COMMAND, env=environment(home), stdin=pipe, stdout=answers, stderr=pipe
    ) as process:
        os.close(answers)
        assert process.stdin is not None
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(os.read(source, 65_536))["id"] == "hello"
        process.stdin.write((json.dumps(LISTING).encode() + b"\n") * 100)
        process.stdin.flush()  # more answers than a pipe holds
        yield process, source
        assert process.wait(30) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_even_where_nobody_reads(tmp_path: Path, number: int) -> None:
    with talked_to(tmp_path / "home") as (process, source):
        time.sleep(0.5)  # it may or may not wait for us by now: both are fine
        process.send_signal(number)
        assert process.wait(30) == 0
        os.close(source)


def test_a_client_that_hangs_up_ends_it(tmp_path: Path) -> None:
    with talked_to(tmp_path / "home") as (process, source):
        os.close(source)
        assert process.wait(30) == 0


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=8))
def test_lines_are_the_same_however_they_are_cut(data: bytes, cuts: list[int]) -> None:
    places = sorted({0, *cuts, len(data)})
    lines, found = Lines(largest=20), []
    for start, end in zip(places, [*places[1:], len(data)], strict=True):
        found += list(lines.fed(data[start:end]))
    whole = data.split(b"\n")[:-1]
    expected = [line if len(line) <= 20 else TooLong for line in whole]
    expected = [line for line in expected if line is TooLong or bytes(line).strip()]
    assert [TooLong if isinstance(one, TooLong) else one for one in found] == expected


@pytest.mark.parametrize(
    ("message", "found"),
    [
        (b'{"jsonrpc": "2.0", "id": 5, "method": "x", "params": {"t": "', 5),
        (b'{"id":"a-b","method":', "a-b"),
        (b'{"method": "x", "params": {"id": 3}, "jsonrpc": "2.0", "id": 4}\n', 4),
        (b'{"method": "x", "params": {"id": 3, "t": "', None),
        (b'{"params": {"t": "\\"id\\": 9}', None),
        (b'{"id": "\xff"}', None),
        (b'{"id": [1]}', None),
        (b"", None),
    ],
)
def test_whose_a_message_is_that_cannot_be_read(message: bytes, found: object) -> None:
    assert id_in(message, message) == found
