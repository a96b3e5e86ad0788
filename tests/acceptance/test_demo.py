"""`hermes demo` for real: its own process, no key, no server, every claim checked."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path


def environ(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {**kept, "HOME": str(home), "TERM": "xterm-256color"}


def demo(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return hermes(home, "demo", *words)


def hermes(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hermes", *words],
        env=environ(home),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_demo_holds_what_it_claims(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    done = demo(tmp_path, "--keep", str(kept))
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert done.stderr == ""
    assert "\x1b" not in done.stdout, "a pipe gets plain text"
    assert "NOT SO" not in done.stdout
    assert re.search(r"All \d+ claims were checked and hold", done.stdout)
    for shown in (
        "$ hermes learn",
        "ok: every run was reproduced",
        "is right, to the last figure",
        "$ hermes skills list",
        "$ hermes review approve",
        "$ hermes skills rollback",
        "$ hermes skills search",
        "$ hermes skills why",
        "$ hermes events",
        "SKILL.md:2: there is no description",
        "approved by ana",
        "ok: the catalogue for this task has",
    ):
        assert shown in done.stdout, shown
    assert not (tmp_path / ".hermes").exists(), "the user's own home is not touched"
    assert "tidy-csv" in hermes(tmp_path, "--home", str(kept), "skills", "list").stdout
    again = demo(tmp_path, "--keep", str(kept))
    assert (again.returncode, "is not empty" in again.stderr) == (1, True)


def test_on_a_terminal_it_is_drawn(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "hermes", "demo"],
        env=environ(tmp_path),
        stdin=slave,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    received = b""
    try:
        while data := os.read(master, 65536):
            received += data
    except OSError:  # how Linux says that the other side is closed
        pass
    os.close(master)
    assert process.wait() == 0, received[-2000:].decode()
    assert b"\x1b[1;36m1. Sixteen sessions of other agents become two skills" in received
    assert "✓".encode() in received
