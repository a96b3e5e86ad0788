"""One container from its start to its end: output, time, memory, processes, disk."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from hermes.records.sandbox import KilledBy, SandboxResult, SandboxRun
from hermes.sandbox.disk import DiskWatch
from hermes.sandbox.limits import Reading, exceeded
from hermes.sandbox.messages import violations_in

_LOOK_EVERY = 0.1
_STOP_FACTOR = 16  # as in supervise.py
_LAST_BREATH = 30
_KILLED, _NOT_FOUND = 137, 127


class _Stream:
    """The first bytes are kept, the rest is counted."""

    def __init__(self, keep: int) -> None:
        self._keep = keep
        self._kept = bytearray()
        self.seen = 0

    def add(self, chunk: bytes | None) -> None:
        if chunk:
            self._kept += chunk[: self._keep - len(self._kept)]
            self.seen += len(chunk)

    @property
    def data(self) -> bytes:
        return bytes(self._kept)

    @property
    def truncated(self) -> bool:
        return self.seen > len(self._kept)


class ContainerRun:
    """Use once. `client` and `container` are the SDK's objects."""

    def __init__(self, client: Any, container: Any, request: SandboxRun) -> None:
        self._client = client
        self._container = container
        self._request = request
        self._limits = request.policy.limits
        self._stdout = _Stream(self._limits.output_bytes)
        self._stderr = _Stream(self._limits.output_bytes)
        self._reading = Reading()
        self._killed_by: KilledBy | None = None
        self._first: int | None = None

    def to_the_end(self) -> SandboxResult:
        folders = [mount.source for mount in self._request.policy.writable()]
        disk = DiskWatch(folders, self._limits.disk_bytes)
        output = self._client.api.attach(self._container.id, stream=True, demux=True)
        reader = threading.Thread(target=self._read, args=(output,), daemon=True)
        started = time.monotonic()
        if not self._start():
            return self._result(_NOT_FOUND, time.monotonic() - started)
        reader.start()
        while reader.is_alive() and self._killed_by is None:
            reader.join(_LOOK_EVERY)
            self._look(disk, started)
        if self._killed_by is not None:
            self._kill()
        exit_code = int(self._container.wait(timeout=_LAST_BREATH)["StatusCode"])
        seconds = time.monotonic() - started
        reader.join(_LAST_BREATH)
        self._container.reload()
        if self._killed_by is None and self._container.attrs["State"]["OOMKilled"]:
            self._killed_by = KilledBy.MEMORY
        return self._result(exit_code, seconds)

    def _start(self) -> bool:
        """False when the image has no such program."""
        stdin = self._open_stdin() if self._request.stdin else None
        try:
            self._container.start()
        except _api_error() as error:
            message = str(getattr(error, "explanation", error))
            self._stderr.add(message.encode())
            if "executable file not found" in message or "no such file" in message:
                return False
            raise
        if stdin is not None:
            threading.Thread(target=self._feed, args=(stdin,), daemon=True).start()
        return True

    def _open_stdin(self) -> socket.socket:
        opened = self._client.api.attach_socket(self._container.id, {"stdin": 1, "stream": 1})
        stdin: socket.socket = getattr(opened, "_sock", opened)  # the SDK wraps it in a reader
        return stdin

    def _feed(self, stdin: socket.socket) -> None:
        with suppress(OSError):  # the program does not read what it was given
            stdin.sendall(self._request.stdin)
            stdin.shutdown(socket.SHUT_WR)

    def _read(self, output: Any) -> None:
        for stdout, stderr in output:
            self._stdout.add(stdout)
            self._stderr.add(stderr)

    def _look(self, disk: DiskWatch, started: float) -> None:
        stop = self._limits.output_bytes * _STOP_FACTOR
        if time.monotonic() - started > self._limits.seconds:
            self._killed_by = KilledBy.TIME
        elif max(self._stdout.seen, self._stderr.seen) > stop:
            self._killed_by = KilledBy.OUTPUT
        elif disk.is_over(self._first_process()):
            self._killed_by = KilledBy.DISK
        else:
            self._reading = self._measure() or self._reading
            self._killed_by = exceeded(self._reading, self._limits)

    def _first_process(self) -> int | None:
        """Its number here, where the engine runs on this very machine and not in a remote one."""
        if self._first is None:
            self._container.reload()
            pid = int(self._container.attrs["State"]["Pid"])
            with suppress(OSError):
                if self._container.id in Path(f"/proc/{pid}/cgroup").read_text():
                    self._first = pid
        return self._first

    def _measure(self) -> Reading | None:
        """None when the container has ended, for then the engine has no figures."""
        stats = self._client.api.stats(self._container.id, stream=False, one_shot=True)
        memory, pids = stats.get("memory_stats", {}), stats.get("pids_stats", {})
        if not pids.get("current"):
            return None
        peak = memory.get("max_usage") or memory.get("usage", 0)
        return Reading(
            cpu_seconds=stats["cpu_stats"]["cpu_usage"]["total_usage"] / 1e9,
            peak_bytes=max(peak, self._reading.peak_bytes),
            processes=pids["current"],
            memory_refused=self._memory_refusals(),
            processes_refused=int(pids["current"] >= self._limits.processes),
        )

    def _memory_refusals(self) -> int:
        """How often the kernel had to end one of its processes for want of memory."""
        own = {"container": self._container.id, "event": "oom"}
        now = time.time()
        return len(list(self._client.api.events(since=now - 3600, until=now, filters=own)))

    def _kill(self) -> None:
        with suppress(_api_error()):  # it ended by itself meanwhile
            self._container.kill()

    def _result(self, exit_code: int, seconds: float) -> SandboxResult:
        measured = self._reading != Reading()
        return SandboxResult(
            backend="docker",
            isolated=True,
            exit_code=_KILLED if self._killed_by else exit_code,
            stdout=self._stdout.data,
            stderr=self._stderr.data,
            stdout_truncated=self._stdout.truncated,
            stderr_truncated=self._stderr.truncated,
            seconds=seconds,
            cpu_seconds=self._reading.cpu_seconds if measured else None,
            max_rss=self._reading.peak_bytes if measured else None,
            killed_by=self._killed_by,
            violations=violations_in(self._stderr.data),
        )


def _api_error() -> type[Exception]:
    from docker.errors import APIError

    found: type[Exception] = APIError
    return found
