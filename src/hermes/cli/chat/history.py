"""What was typed before, for the arrow keys; without credentials, and for its owner alone.

One line of JSON for each entry, added by one write, so that any number of conversations can share
the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from prompt_toolkit.history import History

_READ_AT_MOST = 256 * 1024  # bytes of its end; nobody goes further back by arrow keys


class QuietHistory(History):
    """`tell` is told once if nothing can be kept; the conversation goes on."""

    def __init__(self, file: Path, tell: Callable[[str], None]) -> None:
        super().__init__()
        self._file = file
        self._tell: Callable[[str], None] | None = tell

    def load_history_strings(self) -> Iterable[str]:
        """Newest first. A line that is broken is passed over: the others are as good as before."""
        try:
            with self._file.open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - _READ_AT_MOST))
                lines = file.read().splitlines()
        except FileNotFoundError:
            return
        except OSError as error:
            self._complain(error)
            return
        for line in reversed(lines):
            text = _entry(line)
            if text is not None:
                yield text

    def store_string(self, string: str) -> None:
        from hermes.rules.redact.credentials import without_credentials  # not before the prompt

        line = json.dumps(without_credentials(string)).encode() + b"\n"
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
            descriptor = os.open(self._file, flags, 0o600)
            try:
                os.write(descriptor, line)
            finally:
                os.close(descriptor)
        except OSError as error:
            self._complain(error)

    def _complain(self, error: OSError) -> None:
        tell, self._tell = self._tell, None
        if tell is not None:
            tell(f"what you type is not kept for the arrow keys: {self._file}: {error.strerror}")


def _entry(line: bytes) -> str | None:
    try:
        text = json.loads(line)
    except ValueError:
        return None
    return text if isinstance(text, str) and text else None
