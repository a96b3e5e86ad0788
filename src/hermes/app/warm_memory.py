"""Memory in a process that stays: one home and one room for all that a front door is asked."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hermes.app.home import open_home
from hermes.app.memory import open_memory
from hermes.app.remembering import catch_up, trust_of_caller
from hermes.app.scopes import scope_named, scopes_here
from hermes.errors import WrongCall
from hermes.records.scope import PERSONAL

if TYPE_CHECKING:
    from hermes.records.memory import MemoryKind, Trust
    from hermes.records.recall import Recalled, Remembered
    from hermes.settings import Settings

Answer = TypeVar("Answer")

_MOMENT = 1.0
_SETTLED_EVERY = 30.0
"""Seconds. What was recalled is written down so often, and when the process ends."""


class WarmMemory:
    """Shared by all threads; `ask` runs a call on one of them.

    Their number is fixed, because each has a connection to the database for as long as it lives:
    many requests at once wait for a thread, and never for a connection that nobody closes.
    """

    def __init__(self, settings: Settings, folder: Path, *, threads: int = 8) -> None:
        self._settings = settings
        self._folder = folder
        self._home = open_home(settings)
        try:
            self._room = open_memory(self._home)
        except BaseException:
            self._home.close()
            raise
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="memory")
        self._catching_up = threading.Lock()
        self._settled_at = time.monotonic()
        self._warming = self._threads.submit(self._warm_up)

    async def ask(self, call: Callable[[], Answer]) -> Answer:
        """What the call returns or raises, while the event loop goes on."""

        def when_warm() -> Answer:
            wait([self._warming])
            return call()

        return await asyncio.get_running_loop().run_in_executor(self._threads, when_warm)

    def _warm_up(self) -> None:
        """Read ahead what the first search would wait for. Where that fails, the search says so.

        On one thread, and before any other: what two threads load at once may come out broken. A
        distant embedder is not asked before there is a question.
        """
        self._room.recall.warm(scopes_here(self._settings, self._folder))
        if self._settings.memory.embedder is None:
            self._room.recall.vector_of("warm up")

    def add(
        self, text: str, kind: MemoryKind | None, *, scope: str | None, source: str, trust: Trust
    ) -> Remembered:
        """`scope` is named as at the command line; without one it is the user's own."""
        named = scope_named(self._settings, scope, self._folder) if scope else PERSONAL
        return self._room.remember.add(text, kind, scope=named, source=source, trust=trust)

    def search(
        self,
        query: str,
        *,
        kinds: Sequence[MemoryKind] | None = None,
        scope: str | None = None,
        k: int | None = None,
    ) -> Recalled:
        """In the scope that is named, else in all that somebody in the folder may see."""
        if not query.strip():
            raise WrongCall("there is nothing to search for", hint="say what it is about")
        scopes = scopes_here(self._settings, self._folder)
        if scope:
            scopes = (scope_named(self._settings, scope, self._folder),)
        self._keep_up()
        count = k or self._settings.memory.top_k
        return self._room.recall.search(query, scopes=scopes, kinds=kinds or None, k=count)

    def trust_of_caller(self) -> Trust:
        """Of a program that calls, where nobody sits at a terminal."""
        return trust_of_caller(self._home, at_terminal=False)

    def check(self) -> None:
        """Raises what a request would meet now."""
        self._room.memories.get("mem_")

    def close(self) -> None:
        """What was begun is finished, what still waits for a thread is not begun."""
        self._threads.shutdown(cancel_futures=True)
        try:
            self._room.close()
        finally:
            self._home.close()

    def _keep_up(self) -> None:
        """One thread at a time: the others answer meanwhile, by words where there is no vector."""
        if not self._catching_up.acquire(blocking=False):
            return
        try:
            catch_up(self._room, _MOMENT)
            if time.monotonic() - self._settled_at > _SETTLED_EVERY:
                self._settled_at = time.monotonic()
                self._room.recall.settle()
        finally:
            self._catching_up.release()
