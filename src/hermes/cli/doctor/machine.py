"""The interpreter we run in, and who else answers to our name."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from hermes.cli.doctor.finding import Finding, bad, good, less

_OLDEST_PYTHON = (3, 11)
_OLDEST_SQLITE = (3, 35, 0)
_OUR_ENTRY = b"hermes.cli.main"


def interpreter() -> Finding:
    says = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    if sys.version_info < _OLDEST_PYTHON or sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        return bad("python", says, "use Python 3.11 or newer, with SQLite 3.35 or newer")
    return good("python", says)


def other_commands(environ: Mapping[str, str] | None) -> Iterator[Finding]:
    """Whether typing `hermes` starts this program or another one, such as Hermes Agent."""
    for folder in (os.environ if environ is None else environ).get("PATH", "").split(os.pathsep):
        file = Path(folder or ".") / "hermes"
        if not file.is_file() or not os.access(file, os.X_OK):
            continue
        if not _is_ours(file):
            yield less(
                "command",
                f"`hermes` on your PATH is another program: {file}",
                "type `hermes-cli`, which always means this one",
            )
        return  # what comes later on the PATH is never started


def _is_ours(file: Path) -> bool:
    """A start script of ours names our entry point; one that cannot be read is not ours."""
    try:
        return _OUR_ENTRY in file.read_bytes()[:100_000]
    except OSError:
        return False
