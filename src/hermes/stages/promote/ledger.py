"""The books that a promotion is written into: a few ports that share one transaction."""

from __future__ import annotations

from dataclasses import dataclass

from hermes.errors import NotFound
from hermes.ports import (
    Candidates,
    Changes,
    Events,
    Examples,
    Grants,
    Journal,
    Releases,
    Skills,
    Transactions,
    Verdicts,
    Versions,
)
from hermes.records.candidate import Candidate
from hermes.records.skill import Skill
from hermes.records.version import Version


@dataclass(frozen=True, slots=True)
class Ledger:
    transactions: Transactions
    skills: Skills
    versions: Versions
    candidates: Candidates
    verdicts: Verdicts
    releases: Releases
    changes: Changes
    grants: Grants
    events: Events
    examples: Examples
    journal: Journal

    def skill(self, skill_id: str) -> Skill:
        found = self.skills.get(skill_id)
        if found is None:
            raise NotFound(f"there is no skill {skill_id}")
        return found

    def version(self, version_id: str) -> Version:
        found = self.versions.get(version_id)
        if found is None:
            raise NotFound(f"there is no version {version_id}")
        return found

    def candidate(self, candidate_id: str) -> Candidate:
        found = self.candidates.get(candidate_id)
        if found is None:
            raise NotFound(
                f"there is no candidate {candidate_id}", hint="`hermes review list` shows them"
            )
        return found

    def active(self, skill: Skill) -> Version | None:
        return self.version(skill.active_version_id) if skill.active_version_id else None

    def before(self, version: Version) -> str | None:
        """What a version replaced when it first went live: where a rollback from it goes."""
        releases = self.releases.of_skill(version.skill_id)
        first = next((one for one in releases if one.version_id == version.id), None)
        return first.previous_version_id if first else None
