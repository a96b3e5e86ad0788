"""Lines of the library: one statement, no records."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.errors import CorruptData
from hermes.records.skill_line import SkillLine
from hermes.store.database import Database

_FLAGS = (0, 1)


class ListingTable:
    """Apart from SkillTable, whose record alone would double what a short command imports."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def lines(self) -> Sequence[SkillLine]:
        return [self._line(SkillLine(*row)) for row in self._db.all("skill_lines")]

    def _line(self, line: SkillLine) -> SkillLine:
        """The row with its flags as such; what is no flag is damage, not a yes."""
        flags = (line.pinned, line.disabled, line.proven)
        if any(flag not in _FLAGS for flag in flags):
            raise CorruptData(
                f"skill {line.name!r} has a flag that is neither 0 nor 1",
                where=f"{self._db.where}, table skills",
                hint="`hermes db verify` lists every damaged row; restore a backup",
            )
        pinned, disabled, proven = map(bool, flags)
        return line._replace(pinned=pinned, disabled=disabled, proven=proven)
