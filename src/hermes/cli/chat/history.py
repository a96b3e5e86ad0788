"""What was typed before, for the arrow keys; without credentials, and for its owner alone."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit.history import FileHistory

from hermes.rules.redact.credentials import without_credentials


class QuietHistory(FileHistory):
    """A file that others cannot read, and that holds no secret somebody pasted."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600))
        super().__init__(str(file))

    def store_string(self, string: str) -> None:
        super().store_string(without_credentials(string))

    def load_history_strings(self) -> Iterable[str]:
        try:
            yield from super().load_history_strings()
        except (OSError, UnicodeDecodeError):
            return  # a broken history is no reason not to talk
