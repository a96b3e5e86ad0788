"""A `hermes` process without the seconds that loading costs: forked from one that has loaded.

What a test starts this way is a process of its own, with its own signals, files and terminal, as
`python -m` would start it. Only the modules are there already, so what a start loads, and when, is
for tests that start Python itself.

    forked(["hermes", "run", "a task"], environ, folder, stdio=(0, 1, 2))

The process that forks loads nothing that starts threads, because a thread does not survive a fork.
"""

from __future__ import annotations

import fcntl
import functools
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_LOADED = (
    "hermes.cli.chat.loop",
    "hermes.cli.chat.prompting",
    "hermes.app.agent",
    "hermes.agent.working",
    "hermes.models.openai_client",
    "pydantic_ai.models.openai",
    "hermes.jobs.doing",
)
_ORDER_BYTES = 1_000_000


class Forked:
    """A process that somebody else reaps; what `subprocess.Popen` offers, as far as tests ask."""

    def __init__(self, told: int) -> None:
        self._told = open(told, encoding="ascii")  # noqa: SIM115 - closed by `wait`
        self.pid = int(self._told.readline())
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """How it ended; None while it runs."""
        if self.returncode is None and select.select([self._told], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            self.returncode = int(self._told.readline())
            self._told.close()
        return self.returncode

    def send_signal(self, how: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, how)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def forked(
    words: Sequence[str],
    environ: Mapping[str, str],
    folder: Path,
    stdio: tuple[int, int, int],
    *,
    is_terminal: bool = False,
) -> Forked:
    """`python -m *words` in this folder and environment, on these open files.

    On a terminal it leads a session, and the terminal's keys are for it.
    """
    reader, writer = os.pipe()
    order = {
        "words": list(words),
        "environ": dict(environ),
        "folder": str(folder),
        "is_terminal": is_terminal,
    }
    try:
        socket.send_fds(_forker()[0], [json.dumps(order).encode()], [*stdio, writer])
    finally:
        os.close(writer)
    return Forked(reader)


@functools.cache
def _forker() -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Where the orders go, and the process that forks; it ends when this one does."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        words = [sys.executable, "-m", "hermes.testing.forked", str(theirs.fileno())]
        process = subprocess.Popen(words, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
    return ours, process


def _serve(orders: socket.socket) -> list[str]:
    """Fork for each order. Returns in the fork, which has become all but the words ordered."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ends with the tests, not before them
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how a keeper ended
    for module in _LOADED:
        importlib.import_module(module)
    gc.freeze()
    while True:
        text, files, _, _ = socket.recv_fds(orders, _ORDER_BYTES, 4)
        if not text:
            sys.exit()
        if os.fork() == 0:
            orders.close()
            return _kept(json.loads(text), files)
        for file in files:
            os.close(file)


def _kept(order: dict[str, Any], files: list[int]) -> list[str]:
    """Fork once more, and stay behind to tell how that ended: only a parent learns it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    told = files.pop()
    process = os.fork()
    if process == 0:
        os.close(told)
        return _become(order, files)
    for file in files:
        os.close(file)
    os.write(told, f"{process}\n".encode())
    _, status = os.waitpid(process, 0)
    os.write(told, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _become(order: dict[str, Any], files: list[int]) -> list[str]:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    if order["is_terminal"]:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    # What Python opened when it started still believes in the files it found there.
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    os.chdir(order["folder"])
    sys.path[0] = order["folder"]
    os.environ.clear()
    os.environ.update(order["environ"])
    return list(order["words"])


if __name__ == "__main__":
    module, *words = _serve(socket.socket(fileno=int(sys.argv[1])))
    sys.argv = [module, *words]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
