"""Events: the audit trail, numbered without gaps, each line carrying the hash before it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from hermes import ids
from hermes.errors import WrongCall
from hermes.records.codec import Json, time_text
from hermes.records.event import FIRST, Event, chain_hash
from hermes.store.database import Database
from hermes.store.rows import json_text
from hermes.store.tables.table import PAGE, Table


class EventTable(Table[Event]):
    word = "event"
    table = "events"
    record = Event

    def __init__(self, database: Database, now: Callable[[], datetime] = ids.now) -> None:
        super().__init__(database)
        self._now = now

    def append(
        self,
        kind: str,
        *,
        actor: str,
        subject_id: str,
        skill_id: str | None = None,
        data: Mapping[str, Json] | None = None,
    ) -> Event:
        """The next line; one writer at a time, until the transaction ends."""
        try:
            plain = json.loads(json_text(data or {}))
        except ValueError as error:
            raise WrongCall(f"the data of {kind} cannot be stored: {error}") from error
        with self._db.transaction():
            self._db.all("hold_trail")
            seq, previous = self._db.one("last_event") or (0, FIRST)
            at = self._now()
            head = (seq + 1, time_text(at), kind, actor, skill_id, subject_id)
            event = Event(
                seq=seq + 1,
                at=at,
                kind=kind,
                actor=actor,
                skill_id=skill_id,
                subject_id=subject_id,
                data=plain,
                previous=previous,
                hash=chain_hash(head, plain, previous),
            )
            self._insert(event)
        return event

    def page(
        self, skill_id: str | None = None, after: int = 0, limit: int = PAGE
    ) -> Sequence[Event]:
        if skill_id is None:
            return self._many("page_events", after=after, limit=limit)
        return self._many("page_events_of_skill", skill_id=skill_id, after=after, limit=limit)

    def latest(self, skill_id: str | None = None, limit: int = PAGE) -> Sequence[Event]:
        """The last lines of the trail, oldest of them first."""
        if skill_id is None:
            return self._many("latest_events", limit=limit)[::-1]
        return self._many("latest_events_of_skill", skill_id=skill_id, limit=limit)[::-1]
