"""How much a sandbox takes, and when that is too much.

`Meter` is the seam: a cgroup where we may make one (cgroups.py), else the process tree as /proc
shows it. The kernel enforces what a cgroup or an rlimit can; everything else is looked at every
few milliseconds. RLIMIT_AS is not among the limits: it breaks BLAS and node, which reserve far
more addresses than they use.
"""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hermes.records.sandbox import KilledBy, Limits

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_HOST_FLOOR = 0.04  # of the host's memory: below this, whoever is in the sandbox has to go


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One look at a sandbox; the `*_refused` count what the kernel had to turn down."""

    cpu_seconds: float = 0.0
    memory_bytes: int = 0
    peak_bytes: int = 0
    processes: int = 0
    memory_refused: int = 0
    processes_refused: int = 0


class Meter(Protocol):
    """Bounds and counts the processes of one sandbox."""

    @property
    def name(self) -> str: ...
    @property
    def is_complete(self) -> bool:
        """Whether it bounds all by itself, also memory that is in no process (a memfd)."""
        ...

    @property
    def forgets(self) -> bool:
        """Whether it sees nothing any more of a sandbox that has ended."""
        ...

    @property
    def prefix(self) -> tuple[str, ...]:
        """The command that starts another one inside the bounds; empty where admit suffices."""
        ...

    def enter(self) -> None:
        """Take in the calling thread, so that what it starts is born inside; where that can be."""
        ...

    def admit(self, pid: int) -> None:
        """Take in the sandbox's first process, before it has any children that matter."""
        ...

    def read(self) -> Reading: ...
    def close(self) -> None: ...


def exceeded(reading: Reading, limits: Limits) -> KilledBy | None:
    """Which limit a reading breaks."""
    if reading.memory_refused or reading.memory_bytes > limits.memory_bytes:
        return KilledBy.MEMORY
    if reading.processes_refused or reading.processes > limits.processes:
        return KilledBy.PROCESSES
    if reading.cpu_seconds > limits.cpu_seconds:
        return KilledBy.CPU
    return None


def rlimits(limits: Limits, *, count_processes: bool) -> dict[int, int]:
    """What the kernel enforces for each process by itself.

    RLIMIT_NPROC counts within the sandbox's own user namespace (since Linux 5.14); before that it
    counted every process of the user, so there it is left to the meter.
    """
    chosen = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: int(limits.cpu_seconds) + 1,
        resource.RLIMIT_FSIZE: limits.file_bytes,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_MEMLOCK: 64 * 1024,
    }
    if count_processes and _kernel_version() >= (5, 14):
        chosen[resource.RLIMIT_NPROC] = limits.processes
    return chosen


def _kernel_version() -> tuple[int, int]:
    major, minor = os.uname().release.split(".")[:2]
    return int(major), int("".join(character for character in minor if character.isdigit()))


class ProcessTree:
    """Counts by /proc: what needs no rights, and sees only what processes hold themselves."""

    name = "rlimits and a watchdog"
    is_complete = False
    forgets = True
    prefix = ()

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._root: int | None = None
        self._peak = 0
        self._cpu = 0.0

    def enter(self) -> None:
        """There is nothing to enter."""

    def admit(self, pid: int) -> None:
        self._root = pid

    def read(self) -> Reading:
        memory = processes = 0
        cpu = 0.0
        for pid in process_tree(self._root):
            with suppress(OSError, IndexError):  # it ended between two looks
                memory += _private_bytes(pid)
                cpu += _cpu_seconds(pid)
                processes += len(os.listdir(f"/proc/{pid}/task"))
        self._peak = max(self._peak, memory)
        self._cpu = max(self._cpu, cpu)
        return Reading(
            cpu_seconds=self._cpu,
            memory_bytes=memory,
            peak_bytes=self._peak,
            processes=processes,
            memory_refused=int(_host_is_short()),
            processes_refused=int(processes >= self._limits.processes),
        )

    def close(self) -> None:
        """Nothing to give back."""


def process_tree(root: int | None) -> list[int]:
    """A sandbox's first process and all below it: its orphans are adopted by the first."""
    found: list[int] = []
    waiting = [] if root is None else [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        with suppress(OSError):  # it ended between two looks
            for task in os.listdir(f"/proc/{pid}/task"):
                children = Path(f"/proc/{pid}/task/{task}/children").read_text()
                waiting += [int(child) for child in children.split()]
    return found


def _private_bytes(pid: int) -> int:
    _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
    return (int(resident) - int(shared)) * _PAGE


def _cpu_seconds(pid: int) -> float:
    """Its own and that of the children it has waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(ticks) for ticks in fields[11:15]) / _TICKS_PER_SECOND


def _host_is_short() -> bool:
    values = {}
    for line in Path("/proc/meminfo").read_text().splitlines():
        name, _, rest = line.partition(":")
        values[name] = int(rest.split()[0])
    available = values.get("MemAvailable", values["MemTotal"])
    return available < values["MemTotal"] * _HOST_FLOOR
