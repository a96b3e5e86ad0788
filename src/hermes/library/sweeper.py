"""Looks at every folder once a second in processes that live long.

What a prompt is about to show is looked at before it is shown; this catches the rest, such as an
edit that makes a skill relevant that was not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from hermes.errors import HermesError
from hermes.library.reader import Reader


class Sweeper:
    """A daemon thread. A look that fails is told to `on_error` and tried again later."""

    def __init__(
        self,
        reader: Reader,
        on_error: Callable[[HermesError], None],
        interval_s: float = 1.0,
    ) -> None:
        self._reader = reader
        self._on_error = on_error
        self._interval_s = interval_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="skill-sweeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        if self._thread.ident is not None:
            self._stop.set()
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(self._interval_s):
            try:
                self._reader.look()
            except HermesError as error:
                self._on_error(error)
