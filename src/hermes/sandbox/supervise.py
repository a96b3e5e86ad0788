"""One run from its start to its end: output, time, memory, processes, disk, and the watcher.

A single loop in the caller's thread. It ends only when the last process of the sandbox is dead,
so nothing can be written after the result was given.
"""

from __future__ import annotations

import json
import os
import select
import selectors
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field

from hermes.errors import SandboxUnavailable
from hermes.records.sandbox import KilledBy, Limits
from hermes.sandbox.disk import DiskWatch
from hermes.sandbox.limits import Meter, Reading, exceeded
from hermes.sandbox.watch import Watch

_LOOK_EVERY = 0.025
_CHUNK = 1 << 16
_STOP_FACTOR = 16  # what is over the cap is thrown away; this many times the cap ends the run
_MOMENT = 80  # looks, of about a microsecond each
_LAST_BREATH = 10.0  # how long a killed process may take to be gone


class Capture:
    """One output stream: the first bytes are kept, the rest is counted."""

    def __init__(self, fd: int, keep: int) -> None:
        self.fd = fd
        self._keep = keep
        self._parts: list[bytes] = []
        self._kept = 0
        self.seen = 0

    def read(self) -> bool:
        """Take what is there; False at the end of the stream."""
        chunk = os.read(self.fd, _CHUNK)
        self.seen += len(chunk)
        part = chunk[: self._keep - self._kept]
        if part:
            self._parts.append(part)
            self._kept += len(part)
        return bool(chunk)

    @property
    def data(self) -> bytes:
        return b"".join(self._parts)

    @property
    def truncated(self) -> bool:
        return self.seen > self._kept


@dataclass(frozen=True, slots=True)
class Guards:
    """What looks after one run. `admit` is called with the sandbox's first process."""

    meter: Meter
    disk: DiskWatch
    watch: Watch | None
    admit: Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Child:
    """A started backend. Its JSON lines come from `status`; `release` lets the program begin."""

    process: subprocess.Popen[bytes]
    status: int
    release: int


@dataclass(slots=True)
class Ending:
    exit_code: int | None = None  # None: the backend never got so far as to run the program
    killed_by: KilledBy | None = None
    seconds: float = 0.0
    reading: Reading = field(default_factory=Reading)


class Supervisor:
    """Use once: make, `run`, then read `stdout` and `stderr`."""

    def __init__(self, child: Child, limits: Limits, guards: Guards) -> None:
        assert child.process.stdout is not None
        assert child.process.stderr is not None
        self._child = child
        self._limits = limits
        self._guards = guards
        self.stdout = Capture(child.process.stdout.fileno(), limits.output_bytes)
        self.stderr = Capture(child.process.stderr.fileno(), limits.output_bytes)
        self._ending = Ending()
        self._status = b""
        self._first: int | None = None  # the sandbox's first process
        self._first_handle: int | None = None
        self._handle = os.pidfd_open(child.process.pid)
        self._selector = selectors.DefaultSelector()
        self._stdin = memoryview(b"")
        self._porter = ThreadPoolExecutor(1, thread_name_prefix="hermes-sandbox-admit")
        self._admitted: Future[None] | None = None

    def run(self, stdin: bytes) -> Ending:
        started = time.monotonic()
        self._register(stdin)
        try:
            self._until_ready()
            self._until_exit(started)
        finally:
            try:
                # Also on an exception of our own: what was started here does not outlive it.
                self._kill()
                self._porter.shutdown()
                self._bury()
            finally:
                self._close()
        self._ending.seconds = time.monotonic() - started
        self._note_last_reading()
        return self._ending

    def _register(self, stdin: bytes) -> None:
        register = self._selector.register
        for capture in (self.stdout, self.stderr):
            register(capture.fd, selectors.EVENT_READ, lambda c=capture: self._take(c))
        register(self._child.status, selectors.EVENT_READ, self._take_status)
        register(self._handle, selectors.EVENT_READ, None)
        if self._guards.watch is not None:
            register(self._guards.watch, selectors.EVENT_READ, self._guards.watch.answer)
        if self._child.process.stdin is not None:
            self._stdin = memoryview(stdin)
            os.set_blocking(self._child.process.stdin.fileno(), False)
            register(self._child.process.stdin, selectors.EVENT_WRITE, self._feed)

    def _until_ready(self) -> None:
        """bubblewrap sets the sandbox up and asks about every step: a short loop for that alone."""
        watch = self._guards.watch
        if watch is None:
            return
        poll = select.poll()
        for fd in (watch.fileno(), self._child.status, self._handle):
            poll.register(fd, select.POLLIN)
        while not watch.sealed:
            events = _soon(poll) or poll.poll(1000 * self._limits.seconds)
            for fd, _ in events:
                if fd == watch.fileno():
                    watch.answer()
                elif fd == self._child.status and self._child.status in self._selector.get_map():
                    self._take_status()
            if not events or any(fd == self._handle for fd, _ in events):
                return

    def _until_exit(self, started: float) -> None:
        deadline = started + self._limits.seconds
        next_look = started + _LOOK_EVERY
        while True:
            now = time.monotonic()
            if now >= deadline:
                self._end_by(KilledBy.TIME)
            elif now >= next_look:
                self._look()
                next_look = time.monotonic() + _LOOK_EVERY
            wait = max(min(deadline, next_look) - time.monotonic(), 0.0)
            events = self._selector.select(wait)
            for key, _ in events:
                if key.data is not None:
                    key.data()
            if any(key.fd == self._handle for key, _ in events) or self._ending.killed_by:
                return

    def _look(self) -> None:
        if self._admitted is None or not self._admitted.done():
            return
        self._admitted.result()  # raises what the other thread could not do
        self._ending.reading = reading = self._guards.meter.read()
        over = exceeded(reading, self._limits)
        if over is None and self._guards.disk.is_over(self._first):
            over = KilledBy.DISK
        if over is not None:
            self._end_by(over)

    def _end_by(self, reason: KilledBy) -> None:
        if self._ending.killed_by is None:
            self._ending.killed_by = reason

    def _take(self, capture: Capture) -> None:
        if not capture.read():
            self._selector.unregister(capture.fd)
        elif capture.seen > self._limits.output_bytes * _STOP_FACTOR:
            self._end_by(KilledBy.OUTPUT)

    def _feed(self) -> None:
        pipe = self._child.process.stdin
        assert pipe is not None
        with suppress(BlockingIOError):
            try:
                self._stdin = self._stdin[os.write(pipe.fileno(), self._stdin[:_CHUNK]) :]
            except BrokenPipeError:  # the program does not read what it was given
                self._stdin = memoryview(b"")
        if not self._stdin:
            self._selector.unregister(pipe)
            pipe.close()

    def _take_status(self) -> None:
        chunk = os.read(self._child.status, _CHUNK)
        if not chunk:
            self._selector.unregister(self._child.status)
        *lines, self._status = (self._status + chunk).split(b"\n")
        for line in lines:
            self._note_status(json.loads(line))

    def _note_status(self, status: dict[str, int]) -> None:
        if "child-pid" in status:
            self._begin(status["child-pid"])
        if "exit-code" in status:
            self._ending.exit_code = status["exit-code"]
            if self._guards.meter.forgets:
                self._guards.meter.read()  # the last moment at which it may see something

    def _begin(self, pid: int) -> None:
        """The first process exists. It is bound by another thread, while it sets itself up: to
        enter a cgroup takes the kernel some milliseconds, and the watcher must go on answering."""
        with suppress(ProcessLookupError):  # it failed at once, and says so on stderr
            self._first_handle = os.pidfd_open(pid)
            self._first = pid
            self._admitted = self._porter.submit(self._admit, pid)

    def _admit(self, pid: int) -> None:
        """Bind it, then let it go: without the byte it never starts the program."""
        try:
            self._guards.meter.admit(pid)
            self._guards.admit(pid)
        except ProcessLookupError:
            return  # as above
        except OSError as error:
            raise SandboxUnavailable(f"the limits cannot be set: {error}") from error
        os.write(self._child.release, b"1")

    def _kill(self) -> None:
        """The death of a namespace's first process is the death of all in it."""
        for handle in (self._first_handle, self._handle):
            if handle is not None:
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(handle, signal.SIGKILL)

    def _bury(self) -> None:
        """Wait until all are dead, reading on: a writer may be stuck in a full pipe."""
        if self._first_handle is not None:
            self._selector.register(self._first_handle, selectors.EVENT_READ, None)
        alive = {handle for handle in (self._first_handle, self._handle) if handle is not None}
        if self._guards.watch is not None:
            self._selector.unregister(self._guards.watch)
        until = time.monotonic() + _LAST_BREATH
        while alive or self._open_streams():
            if time.monotonic() > until:
                raise SandboxUnavailable("a sandboxed process could not be killed")
            for key, _ in self._selector.select(0.1):
                if key.fd in alive:
                    alive.remove(key.fd)
                    self._selector.unregister(key.fd)
                elif key.data is not None:
                    key.data()
        self._child.process.wait()

    def _note_last_reading(self) -> None:
        """The kernel may have ended it by a limit between two looks."""
        if self._admitted is None:
            return
        self._admitted.result()
        self._ending.reading = reading = self._guards.meter.read()
        code = self._ending.exit_code
        by_a_signal = code is None or code > 128
        over = exceeded(reading, self._limits)
        if by_a_signal and over in (KilledBy.MEMORY, KilledBy.CPU):
            self._end_by(over)

    def _open_streams(self) -> bool:
        streams = (self.stdout.fd, self.stderr.fd, self._child.status)
        return any(fd in self._selector.get_map() for fd in streams)

    def _close(self) -> None:
        self._selector.close()
        process = self._child.process
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        for handle in (self._first_handle, self._handle):
            if handle is not None:
                os.close(handle)


def _soon(poll: select.poll) -> list[tuple[int, int]]:
    """What comes within a moment. To sleep and be woken takes longer than that moment."""
    for _ in range(_MOMENT):
        if events := poll.poll(0):
            return events
    return []
