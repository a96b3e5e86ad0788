"""The agent behind the prompt: made ready in the background while the person types."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.app.agent import AgentSession


class Ready:
    """Builds a session in a thread of its own; whoever needs it waits for it.

    An error is kept and raised to whoever asks: what was missing may be there by the next time, so
    that tries again.
    """

    def __init__(self, build: Callable[[], AgentSession]) -> None:
        self._build = build
        self._session: AgentSession | None = None
        self._error: Exception | None = None
        self._is_done = threading.Event()  # a join that Ctrl-C ends takes the thread for ended
        self._is_done.set()

    def begin(self) -> None:
        self._is_done.clear()
        threading.Thread(target=self._try, name="warm-up", daemon=True).start()

    def get(self) -> AgentSession:
        self._is_done.wait()
        error, self._error = self._error, None
        if error is not None:
            raise error
        if self._session is None:
            self._session = self._build()
        return self._session

    def drop(self) -> str | None:
        """Let go of the session; the next one is built anew. The id of the one that was."""
        self._is_done.wait()
        session, self._session, self._error = self._session, None, None
        if session is None:
            return None
        session.close()
        return session.session_id if session.trajectory_id else None

    def close(self) -> bool:
        """Whether it is closed; one that is still being built is left alone."""
        if not self._is_done.is_set():
            return False
        self.drop()
        return True

    def _try(self) -> None:
        try:
            self._session = self._build()
        except Exception as error:  # noqa: BLE001 - raised to whoever asks for the session
            self._error = error
        finally:
            self._is_done.set()
