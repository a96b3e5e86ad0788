"""How time is taken: CPU time, the median of several runs, and nothing typed in."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, TypeVar

import hermes

T = TypeVar("T")


def command_cpu_s(arguments: Sequence[str], environ: Mapping[str, str], runs: int = 7) -> float:
    """Median CPU seconds of `hermes …` as it is typed, start of the interpreter included."""
    return statistics.median(_one_run(arguments, environ) for _ in range(runs))


def _one_run(arguments: Sequence[str], environ: Mapping[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [Path(sys.executable).with_name("hermes"), *arguments],
        env={**os.environ, **environ},
        capture_output=True,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def each_cpu_ms(work: Callable[[T], object], items: Iterable[T]) -> float:
    """Median CPU milliseconds of one call, in this warm process and the children it keeps."""
    times = []
    for item in items:
        start = time.process_time_ns() + _children_cpu_ns()
        work(item)
        times.append(time.process_time_ns() + _children_cpu_ns() - start)
    return statistics.median(times) / 1e6


def _children_cpu_ns() -> int:
    """What the processes that we started have computed so far; only Linux tells."""
    spent = 0
    for task in Path("/proc/self/task").glob("*/children"):
        for pid in task.read_text().split():
            spent += int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])
    return spent


def served_cpu_ns(database: Any) -> Callable[[], int]:
    """A clock of CPU time: this process's, and that of the database server's process that answers
    this thread, where there is one on this machine."""
    if database.dialect.name != "postgres":
        return time.process_time_ns
    ((pid,),) = database.ask("SELECT pg_backend_pid()")
    spent = Path(f"/proc/{pid}/schedstat")

    def both() -> int:
        return time.process_time_ns() + int(spent.read_text().split()[0])

    return both


def resident_mb() -> float:
    """What this process has in memory now; only Linux tells."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def wall_s(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def bytecode_note() -> str:
    """Whether our modules start from bytecode: without it every start pays for parsing."""
    source = Path(hermes.__file__).with_name("loop.py")
    compiled = Path(cache_from_source(str(source))).exists()
    return "bytecode: there" if compiled else "bytecode: MISSING (run python -m compileall src)"


def load_note() -> str:
    """How busy the machine is: every figure in real time is to be read beside it."""
    last_minute, last_five, _ = os.getloadavg()
    cores = os.cpu_count() or 1
    return f"load: {last_minute:.1f} in the last minute, {last_five:.1f} in five, on {cores} cores"
