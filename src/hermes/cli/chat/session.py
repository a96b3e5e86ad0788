"""The agent behind the prompt: made ready in the background while the person types."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from hermes.errors import HermesError

if TYPE_CHECKING:
    from hermes.app.agent import AgentSession


class Ready:
    """Builds a session in a thread of its own; whoever needs it waits for it.

    An error is kept and raised to whoever asks, each time anew: a missing model may be there by
    then, so the next question tries again.
    """

    def __init__(self, build: Callable[[], AgentSession]) -> None:
        self._build = build
        self._session: AgentSession | None = None
        self._error: HermesError | None = None
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        self._thread = threading.Thread(target=self._try, name="warm-up", daemon=True)
        self._thread.start()

    def get(self) -> AgentSession:
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self._session is None:
            if self._error is None:
                self._try()
            error, self._error = self._error, None
            if error is not None:
                raise error
        assert self._session is not None
        return self._session

    @property
    def now(self) -> AgentSession | None:
        """The session, if it is there already."""
        return self._session

    def drop(self) -> None:
        """Build it anew at the next question, with another model."""
        self.close()
        self._session = None

    def close(self) -> None:
        if self._thread is not None:
            self._thread.join()
        if self._session is not None:
            self._session.close()

    def _try(self) -> None:
        try:
            self._session = self._build()
        except HermesError as error:
            self._error = error
