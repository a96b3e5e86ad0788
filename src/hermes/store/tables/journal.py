"""The journal: what was begun on a folder and is not finished."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.intent import Intent
from hermes.store.tables.table import Table


class JournalTable(Table[Intent]):
    word = "intent"
    table = "journal"
    record = Intent

    def open(self, intent: Intent) -> None:
        self._insert(intent)

    def close(self, intent_id: str) -> bool:
        """Whether it was still open: of several who recover the same one, one is told so."""
        return self._db.run("delete_intent", id=intent_id) > 0

    def pending(self, home: str, skill_id: str | None = None) -> Sequence[Intent]:
        if skill_id is None:
            return self._many("pending_intents", home=home)
        return self._many("pending_intents_of_skill", home=home, skill_id=skill_id)
