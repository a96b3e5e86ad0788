"""A file that is there whole or not at all, for its user's eyes only."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

_KEPT = 100  # characters of the name that the unfinished file has too


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """It takes its name when all of it is on disk; what breaks off before leaves nothing."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:_KEPT]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
