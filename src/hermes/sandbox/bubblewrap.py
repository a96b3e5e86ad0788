"""The default backend on Linux: bubblewrap, a seccomp filter, and limits.

A policy becomes bubblewrap's options; a launching thread starts it; the supervisor sees it to its
end. As root the program runs under an ordinary user's id, not under a mapping of root's.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import cache
from importlib.util import find_spec

from hermes.errors import SandboxUnavailable, WrongCall
from hermes.records.sandbox import (
    KilledBy,
    Limits,
    Mount,
    SandboxPolicy,
    SandboxResult,
    SandboxRun,
    Scratch,
    Violation,
)
from hermes.sandbox import cgroups, seccomp, staging
from hermes.sandbox.disk import DiskWatch
from hermes.sandbox.guarded import GuardedPaths
from hermes.sandbox.launch import Launcher, Opened, Program
from hermes.sandbox.layout import HOME, INSIDE_ID, Layout, compose, host_path
from hermes.sandbox.limits import Meter, ProcessTree, rlimits
from hermes.sandbox.messages import violations_in
from hermes.sandbox.proxy import Doorman
from hermes.sandbox.scratch import scratch
from hermes.sandbox.supervise import Ending, Guards, Supervisor
from hermes.sandbox.syscalls import this_machine
from hermes.sandbox.watch import Watch

_NAMESPACES = (
    *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
    *("--unshare-cgroup-try", "--uid", str(INSIDE_ID), "--gid", str(INSIDE_ID)),
    *("--hostname", "sandbox", "--disable-userns", "--new-session", "--die-with-parent"),
)
_NOT_FOUND = 127
_KILLED = 137


def best_meter(limits: Limits) -> Meter:
    """A cgroup where one can be made, else the process tree."""
    try:
        return cgroups.group(limits)
    except SandboxUnavailable:
        return ProcessTree(limits)


class Bubblewrap:
    """Satisfies ports.Sandbox. `hidden` are host folders that no mount may show."""

    name = "bubblewrap"

    def __init__(
        self,
        *,
        hidden: Sequence[str] = (),
        program: Program | None = None,
        meter: Callable[[Limits], Meter] = best_meter,
        watch: bool = True,
    ) -> None:
        self._hidden = tuple(hidden)
        self._program = program or find_program()
        self._meter = meter
        self._watches = watch
        self._as_root = os.geteuid() == 0

    @property
    def watches(self) -> bool:
        """Whether the kernel tells us of each blocked call; known after the first run."""
        return self._watches

    def scratch(self) -> AbstractContextManager[Scratch]:
        return scratch()

    def run(
        self,
        argv: Sequence[str],
        policy: SandboxPolicy,
        *,
        stdin: bytes = b"",
        cwd: str | None = None,
    ) -> SandboxResult:
        request = SandboxRun(argv=tuple(argv), policy=policy, stdin=stdin, cwd=cwd)
        layout = compose(policy, self._hidden)
        _check_cwd(request)
        guarded = GuardedPaths(policy.guarded)
        with ExitStack() as stack:
            lent = self._lend(policy.writable(), stack)
            layout = layout.unmapped(lent)
            return self._run(request, layout, guarded, stack)

    def _run(
        self, request: SandboxRun, layout: Layout, guarded: GuardedPaths, stack: ExitStack
    ) -> SandboxResult:
        raise NotImplementedError


_ = (
    Callable, errno, shutil, sys, cache, find_spec, WrongCall, KilledBy, Mount, Violation, seccomp,
    staging, DiskWatch, Opened, HOME, host_path, rlimits, violations_in, Doorman, Ending, Guards,
    Supervisor, this_machine, Watch, _NAMESPACES, _NOT_FOUND, _KILLED,
)  # fmt: skip
