"""What the queue's machinery says goes into a file that stays small, never to a terminal."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

_LARGEST = 1_000_000  # bytes; one older file is kept beside it


class _BoundedLog(RotatingFileHandler):
    def handleError(self, record: logging.LogRecord) -> None:
        """A log that cannot be written does not stop the work that it is about."""


def log_to(file: Path | None) -> None:
    """From here on; None keeps nothing. The machinery adds a console only where it finds no log."""
    logger = logging.getLogger("dbos")
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
        handler.close()
    logger.propagate = False
    if file is None:
        logger.addHandler(logging.NullHandler())
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    handler = _BoundedLog(file, maxBytes=_LARGEST, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger.addHandler(handler)
