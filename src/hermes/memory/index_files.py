"""Index files that nobody needs any more: another embedder's, or half written when a process died.

They hold vectors, so what is forgotten would live on in them.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

from hermes.errors import DiskFailed

_LONGEST_HEAD = 4_096
_ABANDONED = 3_600.0  # seconds; no file takes so long to write


def retire_other_files(folder: Path, embedder: str) -> None:
    """Remove every index file but those of this embedder; all can be made again from the table."""
    try:
        for path in sorted(folder.glob("*.usearch")):
            if _embedder_of(path) != embedder:
                path.unlink(missing_ok=True)
        for path in sorted(folder.glob("*.tmp")):
            if time.time() - path.stat().st_mtime > _ABANDONED:
                path.unlink(missing_ok=True)
    except FileNotFoundError:
        return  # somebody else has just done the same
    except OSError as error:
        raise DiskFailed(
            f"{folder}: an old index file cannot be removed: {error.strerror}",
            hint="remove it by hand; it is made again where it is needed",
        ) from error


def _embedder_of(path: Path) -> str | None:
    """What its first line says; None where it says nothing."""
    try:
        with path.open("rb") as file:
            first = json.loads(file.readline(_LONGEST_HEAD))
    except ValueError:
        return None
    return str(first.get("embedder")) if isinstance(first, dict) else None
