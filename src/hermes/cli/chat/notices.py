"""One quiet line when learning produced something, from a thread that never holds anything up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from contextlib import suppress

from hermes.errors import HermesError

_EVERY_S = 2.0


class Notices:
    """`waiting` names the drafts that wait for a person; `tell` shows a line above the prompt.

    What waits when the conversation begins is told once, and then what is new.
    """

    def __init__(
        self,
        waiting: Callable[[], Collection[str]],
        tell: Callable[[str], None],
        every: float = _EVERY_S,
    ) -> None:
        self._waiting = waiting
        self._tell = tell
        self._every = every
        self._told: set[str] = set()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="notices", daemon=True)

    def begin(self) -> None:
        self._thread.start()

    def close(self) -> None:
        if self._thread.ident is not None:
            self._stop.set()
            self._thread.join()

    def look(self) -> None:
        """Tell what waits and was not told yet."""
        new = set(self._waiting()) - self._told
        self._told |= new
        if new:
            drafts = "draft awaits" if len(new) == 1 else "drafts await"
            self._tell(f"{len(new)} {drafts} review: /review")

    def _watch(self) -> None:
        while True:
            with suppress(HermesError):  # away for a moment; the conversation itself would say so
                self.look()
            if self._stop.wait(self._every):
                return
