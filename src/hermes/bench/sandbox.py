"""What isolation costs: a start beside a bare one, and many trials at once.

Bare and sandboxed starts take turns and their medians are compared, so that whatever else the
machine does falls on both.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from hermes import settings
from hermes.app import working_sandboxes
from hermes.bench.figures import Figure
from hermes.ports import Sandbox
from hermes.records.sandbox import SandboxPolicy
from hermes.testing.sandbox.engine import IMAGE, Engine, NoEngine, why_no_engine

PROGRAM = ("python", "-I", "-c", "pass")
MOST_TIMES_BARE = 2.5
MOST_SECONDS_FOR_50 = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCost:
    """Medians in milliseconds. `times_bare` is the figure that has a limit."""

    backend: str
    bare_ms: float
    sandboxed_ms: float

    @property
    def times_bare(self) -> float:
        return self.sandboxed_ms / self.bare_ms


def sandbox_figures(say: Callable[[str], None]) -> list[Figure]:
    """Every backend that works here; an engine for Docker is started where that can be done."""
    with tempfile.TemporaryDirectory(prefix="hermes-bench-") as folder, ExitStack() as stack:
        environ = {"HERMES_HOME": folder}
        image = None
        why_not = why_no_engine()
        if not why_not:
            try:
                environ |= stack.enter_context(Engine(Path(folder))).environment
                image = IMAGE
            except NoEngine as error:
                why_not = str(error)
        if why_not:
            say(f"sandbox: no Docker engine of our own: {why_not}")
        figures: list[Figure] = []
        for sandbox in working_sandboxes(settings.load(environ), environ, image):
            say(f"sandbox {sandbox.name}: starts beside bare ones, then 50 trials by 2 workers")
            figures += _figures_of(sandbox)
        return figures


def _figures_of(sandbox: Sandbox) -> list[Figure]:
    """The limits are those of the default backend; what another costs is reported beside it."""
    is_default = sandbox.name == "bubblewrap"
    cost = start_cost(sandbox, rounds=40 if is_default else 10)
    start = f"sandboxed start, {sandbox.name}"
    figures = [
        Figure(
            what=f"{start}: times the bare start of {cost.bare_ms:.0f} ms",
            value=cost.times_bare,
            unit="×",
            limit=MOST_TIMES_BARE if is_default else None,
        ),
        Figure(what=f"{start}: one warm trial", value=cost.sandboxed_ms, unit="ms"),
    ]
    if is_default:
        figures.append(
            Figure(
                what=f"50 trials by 2 workers, {sandbox.name}",
                value=many_trials(sandbox),
                unit="s",
                limit=MOST_SECONDS_FOR_50,
            )
        )
    return figures


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
        bare_ms=1000 * statistics.median(bare),
        sandboxed_ms=1000 * statistics.median(inside),
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
