"""Other disks for tests, without being root: small ones, read-only ones, ones mounted elsewhere."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import cache

import pytest

from hermes.sandbox.bubblewrap import programs

_WHOLE_SYSTEM = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")


def run_python(
    script: str, *mounts: str, arguments: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a script where these mounts are made, in the order given, over a read-only system."""
    command = [_bubblewrap(), *_WHOLE_SYSTEM, *mounts, sys.executable, "-c", script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@cache
def _bubblewrap() -> str:
    for program in programs():
        trial = [program.path, *_WHOLE_SYSTEM, "true"]
        if subprocess.run(trial, capture_output=True, check=False).returncode == 0:
            return program.path
    pytest.skip("no bubblewrap works here, so no other disk can be mounted")
