"""Candidates: what was proposed, by whom, on what evidence."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.candidate import Candidate
from hermes.records.origin import Origin
from hermes.store.tables.table import PAGE, Table


class CandidateTable(Table[Candidate]):
    word = "candidate"
    table = "candidates"
    record = Candidate

    def add(self, candidate: Candidate) -> None:
        self._insert(candidate)

    def get(self, candidate_id: str) -> Candidate | None:
        return self._one("get_candidate", id=candidate_id)

    def of_version(self, version_id: str) -> Candidate | None:
        return self._one("candidate_of_version", version_id=version_id)

    def of_skill(self, skill_id: str) -> Sequence[Candidate]:
        return self._many("candidates_of_skill", skill_id=skill_id)

    def awaiting(self) -> Sequence[Candidate]:
        """The review queue: whose version waits for a person, oldest first."""
        return self._many("candidates_awaiting")

    def awaiting_of(self, session_id: str) -> Sequence[Candidate]:
        """What this session wrote of it."""
        return self._many("candidates_awaiting_of_session", session_id=session_id)

    def of_origin(self, origin: Origin) -> Sequence[Candidate]:
        return self._many("candidates_of_origin", origin=origin.value)

    def page(self, after: str = "", limit: int = PAGE) -> Sequence[Candidate]:
        return self._many("page_candidates", after=after, limit=limit)
