"""Control groups: the kernel itself bounds memory and processes, and counts both and CPU time.

A group is made below our own, or beside it, never higher: whatever limit the operator put on us
binds the sandbox too. Where we may do neither, systemd is asked for a scope.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path

from hermes.errors import SandboxUnavailable
from hermes.records.sandbox import Limits
from hermes.sandbox.limits import Meter, Reading

_CONTROLLERS_V1 = ("memory", "pids", "cpuacct")
_CONTROLLERS_V2 = ("memory", "pids")
_PREFIX = "hermes-"
_PATIENCE = 1.0
_numbers = count()


class GroupV1:
    """One folder in each controller's own hierarchy."""

    name = "cgroup v1"
    is_complete = True
    forgets = False
    prefix = ()
    _ours = 3  # the launching thread, bubblewrap, and the sandbox's first process

    def __init__(self, parents: Mapping[str, Path], limits: Limits) -> None:
        group = _fresh_name()
        self._folders = {name: parent / group for name, parent in parents.items()}
        try:
            for folder in self._folders.values():
                folder.mkdir()
            memory = self._folders["memory"]
            (memory / "memory.limit_in_bytes").write_text(str(limits.memory_bytes))
            with suppress(FileNotFoundError):  # the kernel does not account swap
                (memory / "memory.memsw.limit_in_bytes").write_text(str(limits.memory_bytes))
            allowed = limits.processes + self._ours
            (self._folders["pids"] / "pids.max").write_text(str(allowed))
        except OSError:
            self.close()
            raise

    def enter(self) -> None:
        """To move oneself is quick; any other move waits for every processor of the machine."""
        for folder in self._folders.values():
            (folder / "tasks").write_text("0")

    def admit(self, pid: int) -> None:
        """It was born inside."""

    def read(self) -> Reading:
        memory, pids = self._folders["memory"], self._folders["pids"]
        return Reading(
            cpu_seconds=_number(self._folders["cpuacct"] / "cpuacct.usage") / 1e9,
            memory_bytes=0,  # the kernel holds the limit; page cache in this figure is no sin
            peak_bytes=_number(memory / "memory.max_usage_in_bytes"),
            processes=_number(pids / "pids.current") - self._ours,
            memory_refused=_field(memory / "memory.oom_control", "oom_kill"),
            processes_refused=_field(pids / "pids.events", "max"),
        )

    def close(self) -> None:
        for folder in self._folders.values():
            _remove(folder)


class GroupV2:
    """One folder in the unified hierarchy."""

    name = "cgroup v2"
    is_complete = True
    forgets = False
    prefix = ()
    _ours = 1  # the sandbox's first process

    def __init__(self, parent: Path, limits: Limits) -> None:
        self._folder = parent / _fresh_name()
        self._folder.mkdir()
        try:
            _bound_v2(self._folder, limits, self._ours)
        except OSError:
            self.close()
            raise

    def enter(self) -> None:
        """Not possible: this hierarchy takes whole processes."""

    def admit(self, pid: int) -> None:
        (self._folder / "cgroup.procs").write_text(str(pid))

    def read(self) -> Reading:
        return _read_v2(self._folder, self._ours)

    def close(self) -> None:
        _remove(self._folder)


class Scope:
    """A cgroup that systemd makes; it holds the process from its first instruction on."""

    name = "systemd scope"
    is_complete = True
    forgets = True
    _ours = 2  # bubblewrap, and the sandbox's first process

    def __init__(self, command: tuple[str, ...], limits: Limits) -> None:
        self._folder: Path | None = None
        self._last = Reading()
        self._deaths_before = 0
        self.prefix = (
            "/usr/bin/env",
            f"XDG_RUNTIME_DIR={_runtime_folder()}",
            *command,
            f"--property=MemoryMax={limits.memory_bytes}",
            "--property=MemorySwapMax=0",
            f"--property=TasksMax={limits.processes + self._ours}",
            "--",
        )

    def enter(self) -> None:
        """systemd takes in what the prefix starts."""

    def admit(self, pid: int) -> None:
        own = _own_groups(Path(f"/proc/{pid}/cgroup"))[""]
        self._folder = _mounts()[""] / own.lstrip("/")
        self._deaths_before = self._deaths_above()

    def read(self) -> Reading:
        """The last look, once the scope is gone: systemd removes it with its last process.

        Some versions end a scope as soon as one process in it was killed for want of memory, and
        all that is left of that is the count of the group above.
        """
        if self._folder is None:
            return self._last
        try:
            self._last = _read_v2(self._folder, self._ours)
        except OSError:
            deaths = self._deaths_above() - self._deaths_before
            return replace(self._last, memory_refused=max(deaths, self._last.memory_refused))
        return self._last

    def close(self) -> None:
        """Nothing to give back."""

    def _deaths_above(self) -> int:
        assert self._folder is not None
        return _field(self._folder.parent / "memory.events", "oom_kill")


def group(limits: Limits) -> Meter:
    """The best meter of this machine; raises SandboxUnavailable where there is none."""
    reasons = []
    for make in (_group_v2, _group_v1, _scope):
        try:
            return make(limits)
        except (OSError, KeyError, SandboxUnavailable) as error:
            reasons.append(f"{make.__name__.lstrip('_')}: {error}")
    raise SandboxUnavailable("no cgroup can be made here: " + "; ".join(reasons))


def _group_v1(limits: Limits) -> Meter:
    return GroupV1(_parents_v1(), limits)


def _group_v2(limits: Limits) -> Meter:
    parent = _parent_v2()
    if parent is None:
        raise SandboxUnavailable("no writable group has the memory and pids controllers")
    return GroupV2(parent, limits)


@cache
def _parents_v1() -> dict[str, Path]:
    own = _own_groups(Path("/proc/self/cgroup"))
    parents = {name: _mounts()[name] / own[name].lstrip("/") for name in _CONTROLLERS_V1}
    for parent in parents.values():
        _sweep(parent)
    return parents


@cache
def _parent_v2() -> Path | None:
    own = _mounts()[""] / _own_groups(Path("/proc/self/cgroup"))[""].lstrip("/")
    for parent in (own, own.parent):
        switches = parent / "cgroup.subtree_control"
        enabled = switches.read_text().split() if switches.exists() else []
        if all(name in enabled for name in _CONTROLLERS_V2) and os.access(parent, os.W_OK):
            _sweep(parent)
            return parent
    return None


def _scope(limits: Limits) -> Meter:
    return Scope(_systemd_run(), limits)


@cache
def _systemd_run() -> tuple[str, ...]:
    """The command that runs a program in a scope, if a manager is there to make one."""
    program = shutil.which("systemd-run")
    if program is None or not Path(_runtime_folder(), "systemd", "private").exists():
        raise SandboxUnavailable("this user has no systemd manager")
    return (program, "--user", "--scope", "--quiet", "--collect")


def _runtime_folder() -> str:
    return f"/run/user/{os.geteuid()}"


@cache
def _mounts() -> dict[str, Path]:
    """Controller → where its hierarchy is mounted; "" is the unified one."""
    found: dict[str, Path] = {}
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        place = Path(before.split()[4])
        if kind == "cgroup2":
            found.setdefault("", place)
        elif kind == "cgroup":
            for option in options.split(","):
                found.setdefault(option, place)
    return found


def _own_groups(file: Path) -> dict[str, str]:
    """Controller → the group of that process; "" is the unified one."""
    groups: dict[str, str] = {}
    for line in file.read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            groups[controller] = path
    return groups


def _sweep(parent: Path) -> None:
    """Remove the empty groups of processes that were killed before they could."""
    for folder in parent.glob(f"{_PREFIX}*"):
        owner = folder.name.removeprefix(_PREFIX).split("-")[0]
        if not Path("/proc", owner).exists():
            with suppress(OSError):  # not ours after all, or not empty yet
                folder.rmdir()


def _fresh_name() -> str:
    return f"{_PREFIX}{os.getpid()}-{next(_numbers)}"


def _bound_v2(folder: Path, limits: Limits, ours: int) -> None:
    (folder / "memory.max").write_text(str(limits.memory_bytes))
    (folder / "memory.oom.group").write_text("1")
    (folder / "pids.max").write_text(str(limits.processes + ours))
    with suppress(FileNotFoundError):  # the kernel does not account swap
        (folder / "memory.swap.max").write_text("0")


def _read_v2(folder: Path, ours: int) -> Reading:
    return Reading(
        cpu_seconds=_field(folder / "cpu.stat", "usage_usec") / 1e6,
        peak_bytes=_number(folder / "memory.peak"),
        processes=_number(folder / "pids.current") - ours,
        memory_refused=_field(folder / "memory.events", "oom_kill"),
        processes_refused=_field(folder / "pids.events", "max"),
    )


def _number(file: Path) -> int:
    try:
        return int(file.read_text())
    except FileNotFoundError:
        if file.parent.is_dir():
            return 0  # an older kernel without this figure
        raise


def _field(file: Path, name: str) -> int:
    for line in file.read_text().splitlines():
        key, _, value = line.partition(" ")
        if key == name:
            return int(value)
    return 0


def _remove(folder: Path) -> None:
    """Its processes are dead, but it may take the kernel a moment to see that it is empty."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.0002)
        else:
            return
