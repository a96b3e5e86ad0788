"""A host worth attacking: secrets, sockets, a process, live skills; and whether they were touched.

Every escape program is told where all of this is. It must be found as it was left.
"""

from __future__ import annotations

import os
import secrets
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

from hermes.sandbox.syscalls import numbers, this_machine


class Victim:
    """`facts` go to the program that is tried; `harm` says what it did. Use as a context."""

    def __init__(self, folder: Path, *, owner: int, token: str) -> None:
        self.token = token
        self.home = folder
        self._owner = owner
        self._stack = ExitStack()
        self._touched: list[str] = []
        self._before: dict[str, tuple[int, int]] = {}

    def __enter__(self) -> Victim:
        self._canary = self.home / "canary.txt"
        self._skills = self.home / "skills"
        loop = self.home / ".hermes" / "loop"
        for path in (self._skills, loop, self.home / ".ssh"):
            path.mkdir(parents=True)
        for path in (self._canary, loop / "config.yaml", self.home / ".ssh" / "id_rsa"):
            path.write_text(self.token)
        self._tcp = self._listen(socket.create_server(("127.0.0.1", 0)), "tcp")
        self._udp = self._datagrams()
        self._path = str(self.home / "host.sock")
        self._listen(_unix(self._path), "unix socket")
        self._abstract = f"hermes-victim-{secrets.token_hex(8)}"
        self._listen(_unix(f"\0{self._abstract}"), "abstract socket")
        self._process = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=-1)
        self._stack.callback(self._end_process)
        for place in (self.home, *self.home.rglob("*")):
            os.chown(place, self._owner, self._owner)
        self._before = dict(self._snapshot())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    @property
    def facts(self) -> dict[str, Any]:
        """Everything an attacker could wish to know, and more than one ever would."""
        return {
            "home": str(self.home),
            "canary": str(self._canary),
            "live_skills": str(self._skills),
            "socket": self._path,
            "abstract_socket": self._abstract,
            "tcp_port": self._tcp.getsockname()[1],
            "udp_port": self._udp.getsockname()[1],
            "victim": self._process.pid,
            "calls": numbers(this_machine()),
        }

    def harm(self) -> list[str]:
        """What was done to it, in words; empty when it is whole."""
        found = list(self._touched)
        if dict(self._snapshot()) != self._before:
            found.append("its files changed")
        if self._process.poll() is not None:
            found.append("its process was killed")
        found += [f"process {pid} was left behind" for pid in _left_behind(str(self.home))]
        return found

    def _snapshot(self) -> Iterator[tuple[str, tuple[int, int]]]:
        for path in sorted(self.home.rglob("*")):
            found = path.lstat()
            yield str(path), (found.st_ino, found.st_mtime_ns)

    def _listen(self, listener: socket.socket, name: str) -> socket.socket:
        self._stack.callback(listener.close)
        self._watch(listener, name)
        return listener

    def _datagrams(self) -> socket.socket:
        receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        receiver.bind(("127.0.0.1", 0))
        return self._listen(receiver, "udp")

    def _watch(self, listener: socket.socket, name: str) -> None:
        """Note when somebody comes, until we leave."""
        leave, left = socket.socketpair()
        self._stack.callback(left.close)

        def wait() -> None:
            with leave:
                ready, _, _ = select.select([listener, leave], [], [])
                if listener in ready:
                    self._touched.append(f"its {name} was reached")

        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        self._stack.callback(thread.join)
        self._stack.callback(left.close)

    def _end_process(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()


def _unix(name: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(name)
    listener.listen()
    if not name.startswith("\0"):
        os.chmod(name, 0o777)
    return listener


def _left_behind(marker: str) -> Iterator[int]:
    """Processes that still carry the facts of this victim in their environment."""
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                environment = Path(entry.path, "environ").read_bytes()
            except OSError:
                continue  # it ended, or belongs to somebody else
            if b"HOST_FACTS" in environment and marker.encode() in environment:
                yield int(entry.name)
