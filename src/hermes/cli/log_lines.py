"""What a log says while something runs, to be shown once the progress bar is gone.

Apart from the commands that need it: importing logging costs as much as a short command.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


@contextmanager
def log_lines(name: str) -> Iterator[list[str]]:
    """The list that fills; whoever else listens to the log goes on hearing it."""
    log, lines = logging.getLogger(name), _Lines()
    before = log.level
    log.addHandler(lines)
    log.setLevel(logging.INFO)
    try:
        yield lines.texts
    finally:
        log.setLevel(before)
        log.removeHandler(lines)
