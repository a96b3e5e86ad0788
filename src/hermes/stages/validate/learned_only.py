"""A check for what was learned from examples, made when there is such a thing to check.

Mining and replaying take time to load; a person's edit must not pay for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hermes.ports import Checker
from hermes.records.candidate import Candidate
from hermes.records.folder import Folder
from hermes.records.origin import Origin
from hermes.records.verdict import Check, Measured

_LEARNED = frozenset({Origin.EXTRACT, Origin.REFINE})


@dataclass(frozen=True, slots=True)
class LearnedOnly:
    make: Callable[[], Checker]

    def check(self, candidate: Candidate, folder: Folder) -> Check | Measured | None:
        return self.make().check(candidate, folder) if candidate.origin in _LEARNED else None
