"""The thread that starts bubblewrap, made small first: its mounts, its rights, its system calls.

Namespaces, credentials and seccomp filters belong to a thread, and a child inherits those of the
thread that starts it. So no code of ours has to run between fork and exec, and the rest of the
process stays as it is. The thread must live as long as the sandbox: its death is the parent's
death that `--die-with-parent` speaks of.
"""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

from hermes.sandbox import kernel, staging
from hermes.sandbox.layout import Bind

Process = subprocess.Popen[bytes]


@dataclass(frozen=True, slots=True)
class Program:
    """A bwrap executable; `home` is the folder it needs, where that is not part of the system."""

    path: str
    home: str | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """The binds as bubblewrap's options, and the fds that these name.

    `unmapped` are the sources that only their real owner can write.
    """

    program: str
    options: tuple[str, ...]
    fds: tuple[int, ...] = ()
    unmapped: frozenset[str] = frozenset()


class Handover:
    """The fds that a child is to inherit. Ours are closed once it has them."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self.fds: list[int] = []

    def __enter__(self) -> Handover:
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def content(self, data: bytes) -> str:
        """An fd, as text for a command line, from which the child reads these bytes."""
        fd = os.memfd_create("hermes")
        os.write(fd, data)
        os.lseek(fd, 0, os.SEEK_SET)
        return self._add(fd)

    def pipe(self, *, to_child: bool) -> tuple[str, int]:
        """The child's end as text, and our end, which stays open."""
        read, write = os.pipe()
        return (self._add(read), write) if to_child else (self._add(write), read)

    def _add(self, fd: int) -> str:
        self._stack.callback(os.close, fd)
        self.fds.append(fd)
        return str(fd)


class Launcher:
    """One thread for one run. `with Launcher(...) as launcher:` ends it when the run is over."""

    def __init__(self, enter: Callable[[], None], *, as_root: bool) -> None:
        self._enter = enter
        self._as_root = as_root
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hermes-sandbox")
        self._fds = ExitStack()

    def __enter__(self) -> Launcher:
        return self

    def __exit__(self, *exception: object) -> None:
        self._thread.shutdown()
        self._fds.close()

    def open(self, program: Program, binds: Sequence[Bind]) -> Opened:
        """Enter the bounds, take hold of what is to be mounted, and drop root's rights if any."""
        return self._thread.submit(self._take_hold, program, binds).result()

    def filter(self, program: bytes) -> int:
        """Put the thread, and so the sandbox, under a seccomp filter; the fd for the watcher."""
        return self._thread.submit(kernel.filter_this_thread, program).result()

    def start(
        self, command: Sequence[str], fds: Sequence[int], *, has_stdin: bool
    ) -> Future[Process]:
        """A future: until it is done, the thread may itself be stopped to ask the watcher."""
        return self._thread.submit(_start, command, fds, has_stdin)

    def limit(self, pid: int, rlimits: Mapping[int, int]) -> None:
        """Done by this thread, because the kernel wants both to have the same user."""
        self._thread.submit(_limit, pid, rlimits).result()

    def _take_hold(self, program: Program, binds: Sequence[Bind]) -> Opened:
        self._enter()
        return (self._stage if self._as_root else self._pin)(program, binds)

    def _stage(self, program: Program, binds: Sequence[Bind]) -> Opened:
        sources = [(bind.source, bind.ours) for bind in binds]
        if program.home is not None:
            sources.append((program.home, True))
        staged = staging.stage(sources)
        staging.drop()
        path = program.path
        if program.home is not None:
            path = staged.places[-1] + path[len(program.home) :]
        return Opened(path, _options(binds, staged.places, ""), unmapped=staged.unmapped)

    def _pin(self, program: Program, binds: Sequence[Bind]) -> Opened:
        fds = []
        for bind in binds:
            fds.append(kernel.open_plain(bind.source))
            self._fds.callback(os.close, fds[-1])
        options = _options(binds, [str(fd) for fd in fds], "-fd")
        return Opened(program.path, options, tuple(fds))


def _options(binds: Sequence[Bind], sources: Sequence[str], suffix: str) -> tuple[str, ...]:
    options: list[str] = []
    for bind, source in zip(binds, sources, strict=False):
        kind = "--bind" if bind.writable else "--ro-bind"
        options += [kind + suffix, source, bind.target]
    return tuple(options)


def _start(command: Sequence[str], fds: Sequence[int], has_stdin: bool) -> Process:
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE if has_stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=fds,
        env={},  # bubblewrap itself is visible inside as process 1, environment and all
        bufsize=0,
    )


def _limit(pid: int, rlimits: Mapping[int, int]) -> None:
    for name, wanted in rlimits.items():
        _, hard = resource.prlimit(pid, name)
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.prlimit(pid, name, (value, value))
