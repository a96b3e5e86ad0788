"""How long a person waits before they can type, and a script before the model is asked.

The command is started in a terminal of its own, as a person does it. Besides real time, what the
process had computed by then is told: other programs on the machine do not change that.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hermes.testing.stub_model import StubModel

PROMPT = b"hermes>"
_PATIENCE_S = 60
_SIZE = struct.pack("HHHH", 40, 120, 0, 0)


@dataclass(frozen=True, slots=True)
class Wait:
    """Until something could be seen: in real time, and in processor time."""

    wall_s: float
    cpu_s: float


def median_wait(once: Callable[[], Wait], runs: int) -> Wait:
    """The first run warms the disk's cache and does not count."""
    once()
    waits = [once() for _ in range(runs)]
    return Wait(
        statistics.median(one.wall_s for one in waits),
        statistics.median(one.cpu_s for one in waits),
    )


def first_prompt(environ: Mapping[str, str], project: Path) -> Wait:
    """`hermes`, until its prompt stands there."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, _SIZE)
    started = time.perf_counter()
    process = subprocess.Popen(
        [_command()],
        env={**os.environ, **environ, "TERM": "xterm"},
        cwd=project,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        _read_until(ours, PROMPT)
        return Wait(time.perf_counter() - started, _cpu_s(process.pid))
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def first_request(environ: Mapping[str, str], project: Path, model: StubModel) -> Wait:
    """`hermes run`, until the model is asked for the first time."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [_command(), "run", "what is in data.csv?", "--model", model.name],
        env={**os.environ, **environ},
        cwd=project,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        model.wait_for_request()
        return Wait(time.perf_counter() - started, _cpu_s(process.pid))
    finally:
        process.kill()  # a run that ends would start a worker, and that would be measured next
        process.wait()


def _command() -> str:
    return str(Path(sys.executable).with_name("hermes"))


def _read_until(descriptor: int, wanted: bytes) -> None:
    seen = b""
    ends = time.monotonic() + _PATIENCE_S
    while wanted not in seen:
        ready, _, _ = select.select([descriptor], [], [], max(0.0, ends - time.monotonic()))
        try:
            piece = os.read(descriptor, 65_536) if ready else b""
        except OSError:  # the other side was closed
            piece = b""
        if not piece:
            raise RuntimeError(f"no prompt was seen, but {seen[-500:].decode(errors='replace')!r}")
        seen += piece


def _cpu_s(pid: int) -> float:
    """All threads of a process so far; only Linux tells."""
    spent = sum(
        int(thread.read_text().split()[0])
        for thread in Path(f"/proc/{pid}/task").glob("*/schedstat")
    )
    return spent / 1e9
