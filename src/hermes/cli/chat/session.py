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
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        self._thread = threading.Thread(target=self._try, name="warm-up", daemon=True)
        self._thread.start()

    def get(self) -> AgentSession:
        self._join()
        error, self._error = self._error, None
        if error is not None:
            raise error
        if self._session is None:
            self._session = self._build()
        return self._session

    def drop(self) -> str | None:
        """Let go of the session; the next one is built anew. The id of the one that was."""
        self._join()
        session, self._session, self._error = self._session, None, None
        if session is None:
            return None
        session.close()
        return session.session_id if session.trajectory_id else None

    def close(self) -> bool:
        """Whether it is closed; one that is still being built is left alone."""
        if self._thread is not None and self._thread.is_alive():
            return False
        self.drop()
        return True

    def _join(self) -> None:
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _try(self) -> None:
        try:
            self._session = self._build()
        except Exception as error:  # noqa: BLE001 - raised to whoever asks for the session
            self._error = error
