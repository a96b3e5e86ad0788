"""Sessions: conversations and imports."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.session import Session
from hermes.store.tables.table import PAGE, Table


class SessionTable(Table[Session]):
    word = "session"
    table = "sessions"
    record = Session

    def add(self, session: Session) -> None:
        self._insert(session)

    def replace(self, session: Session) -> None:
        self._replace(session)

    def get(self, session_id: str) -> Session | None:
        return self._one("get_session", id=session_id)

    def find(self, source: str, external_id: str) -> Session | None:
        return self._one("find_session", source=source, external_id=external_id)

    def page(self, after: str = "", limit: int = PAGE) -> Sequence[Session]:
        return self._many("page_sessions", after=after, limit=limit)

    def latest(self, source: str, prefix: str = "", limit: int = PAGE) -> Sequence[Session]:
        """Of one agent, newest first; those whose id begins so."""
        end = f"{prefix}\U0010ffff"
        return self._many("latest_sessions", source=source, prefix=prefix, end=end, limit=limit)
