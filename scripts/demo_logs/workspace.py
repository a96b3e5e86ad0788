"""Where a session really happens: a temporary folder that passes for the engineer's own.

Commands are run by bash. The folder's true path is put in on the way in and taken out on the way
back, so that the same session reads the same wherever it was made.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from demo_logs.scenario import HERE, Scenario


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command printed and how it ended."""

    stdout: str
    stderr: str
    exit_code: int

    @property
    def text(self) -> str:
        """Both streams as one, the way a terminal shows them at the end."""
        return self.stdout + self.stderr


class Workspace:
    """The files of one session."""

    def __init__(self, root: Path, cwd: str, environment: Mapping[str, str]) -> None:
        self._root = root
        self._cwd = cwd
        self._environment = environment

    def run(self, command: str) -> Outcome:
        ended = subprocess.run(
            ["bash", "-c", command.replace(self._cwd, str(self._root))],
            cwd=self._root,
            env=dict(self._environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
        return Outcome(self._shown(ended.stdout), self._shown(ended.stderr), ended.returncode)

    def read(self, path: str) -> str:
        return (self._root / path).read_bytes().decode("utf-8")

    def write(self, path: str, text: str) -> None:
        target = self._root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8"))

    def edit(self, path: str, old: str, new: str) -> str:
        """The text before. An edit that would hit no place, or two, is a fault in the scenario."""
        before = self.read(path)
        if before.count(old) != 1:
            raise ValueError(f"{path}: the text to replace occurs {before.count(old)} times")
        self.write(path, before.replace(old, new))
        return before

    def _shown(self, output: bytes) -> str:
        return output.decode("utf-8").replace(str(self._root), self._cwd)


@contextmanager
def workspace(scenario: Scenario) -> Iterator[Workspace]:
    """A fresh one, with the scenario's files in place and `python3` being this Python."""
    with tempfile.TemporaryDirectory(prefix="demo-logs-") as folder:
        base = Path(folder).resolve()
        root, tools = base / "work", base / "tools"
        root.mkdir()
        tools.mkdir()
        python = tools / "python3"
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -B -X utf8 "$@"\n')
        python.chmod(0o755)
        here = Workspace(root, scenario.cwd, _environment(tools))
        for path, name in scenario.files.items():
            here.write(path, (HERE / "inputs" / name).read_bytes().decode("utf-8"))
        yield here


def _environment(tools: Path) -> dict[str, str]:
    """Nothing of the person who makes the logs: another locale would sort differently."""
    return {
        "PATH": f"{tools}{os.pathsep}/usr/local/bin{os.pathsep}/usr/bin{os.pathsep}/bin",
        "HOME": str(tools),
        "LC_ALL": "C",
        "TZ": "UTC",
    }
