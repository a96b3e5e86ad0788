"""What isolation costs: a start beside a bare one, and many trials at once.

Both functions take the sandbox they measure and return plain values. Bare and sandboxed starts
take turns, and the fastest of each counts: whatever else the machine does can only add to it.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from hermes.ports import Sandbox
from hermes.records.sandbox import SandboxPolicy

PROGRAM = ("python", "-I", "-c", "pass")
MOST_TIMES_BARE = 2.5
MOST_SECONDS_FOR_50 = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCost:
    """The fastest of each, in milliseconds. `times_bare` is the figure that has a limit."""

    backend: str
    bare_ms: float
    sandboxed_ms: float

    @property
    def times_bare(self) -> float:
        return self.sandboxed_ms / self.bare_ms


def start_cost(sandbox: Sandbox, rounds: int = 40) -> StartCost:
    """`python -c pass`, in the sandbox and out of it."""
    bare, inside = [], []
    with sandbox.scratch() as place:
        policy = SandboxPolicy.trial(skills=place.skills, data=place.data)
        _run(sandbox, policy)  # the first one finds out what the machine can do
        for _ in range(rounds):
            bare.append(_timed(_bare))
            inside.append(_timed(lambda: _run(sandbox, policy)))
    return StartCost(
        backend=sandbox.name,
        bare_ms=1000 * min(bare),
        sandboxed_ms=1000 * min(inside),
    )


def many_trials(sandbox: Sandbox, count: int = 50, workers: int = 2) -> float:
    """Seconds for so many trials, each in folders of its own, by so many workers."""

    def trial(_: int) -> None:
        with sandbox.scratch() as place:
            _run(sandbox, SandboxPolicy.trial(skills=place.skills, data=place.data))

    trial(0)
    with ThreadPoolExecutor(workers) as pool:
        return _timed(lambda: list(pool.map(trial, range(count))))


def _run(sandbox: Sandbox, policy: SandboxPolicy) -> None:
    result = sandbox.run(PROGRAM, policy)
    if not result.ok:
        raise RuntimeError(f"{sandbox.name} could not run python: {result.stderr_text}")


def _bare() -> object:
    command = [sys.executable, *PROGRAM[1:]]
    return subprocess.run(
        command, env={}, stdin=subprocess.DEVNULL, capture_output=True, check=True
    )


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
