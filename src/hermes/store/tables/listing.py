"""Lines of the library: one statement, no records."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.errors import CorruptData
from hermes.records.skill_line import SkillLine
from hermes.store.database import Database
from hermes.store.dialect import Row

_FLAGS = {0, 1}


class ListingTable:
    """Apart from SkillTable, whose record alone would double what a short command imports."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def lines(self) -> Sequence[SkillLine]:
        return [
            SkillLine._make((*row[:6], *self._flags(row), row[9]))
            for row in self._db.all("skill_lines")
        ]

    def _flags(self, row: Row) -> tuple[bool, bool, bool]:
        """What is neither yes nor no is damage, and not taken for a yes."""
        pinned, disabled, proven = row[6:9]
        if {pinned, disabled, proven} <= _FLAGS:
            return pinned == 1, disabled == 1, proven == 1
        raise CorruptData(
            f"skill {row[0]!r} has a flag that is neither 0 nor 1",
            where=f"{self._db.where}, table skills",
            hint="`hermes db verify` lists every damaged row; restore a backup",
        )
