"""One quiet line when learning produced something, from a thread that never holds anything up."""

from __future__ import annotations

import threading
from collections.abc import Callable

from hermes.errors import HermesError

_EVERY_S = 2.0


class Notices:
    """`waiting` counts the drafts that wait; `tell` shows a line above the prompt."""

    def __init__(self, waiting: Callable[[], int], tell: Callable[[str], None]) -> None:
        self._waiting = waiting
        self._tell = tell
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="notices", daemon=True)

    def begin(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join(timeout=5)

    def _watch(self) -> None:
        known: int | None = None
        while not self._stop.wait(0 if known is None else _EVERY_S):
            try:
                waiting = self._waiting()
            except HermesError:
                continue  # the database is away; the conversation itself will say so
            if known is not None and waiting > known:
                drafts = "draft awaits" if waiting == 1 else "drafts await"
                self._tell(f"{waiting} {drafts} review: /review")
            known = waiting
