"""The format check: is this folder a skill that every client of the standard can read?"""

from __future__ import annotations

from hermes.ports import SkillFormat, Versions
from hermes.records.candidate import Candidate
from hermes.records.folder import SKILL_FILE, Folder
from hermes.records.origin import AGENT_ORIGINS
from hermes.records.verdict import Check, CheckOutcome


class FormatCheck:
    """Lenient on what was there before, strict on every file that a machine adds or changes.

    An agent that mends one line of a skill is not asked to tidy what a person left beside it.
    """

    def __init__(self, skill_format: SkillFormat, versions: Versions) -> None:
        self._format = skill_format
        self._versions = versions

    def check(self, candidate: Candidate, folder: Folder) -> Check:
        name = candidate.skill_name
        reading = self._format.read(folder, name=name, strict=False)
        errors = list(reading.errors)
        if candidate.origin in AGENT_ORIGINS:
            changed = self._changed(candidate, folder)
            errors += self._format.read(changed, name=name, strict=True).errors
        if errors:
            findings = tuple(dict.fromkeys(errors))
            return Check(name="format", outcome=CheckOutcome.FAILED, findings=findings)
        outcome = CheckOutcome.WARNED if reading.warnings else CheckOutcome.PASSED
        return Check(name="format", outcome=outcome, findings=reading.warnings)

    def _changed(self, candidate: Candidate, folder: Folder) -> Folder:
        """SKILL.md and the files that differ from the parent's."""
        parent_id = candidate.parent_version_id
        parent = self._versions.get(parent_id) if parent_id else None
        before = {file.path: file.content for file in parent.files} if parent else {}
        after = {file.path: file.content for file in folder.entries()}
        return Folder(
            {
                path: file
                for path, file in folder.files.items()
                if path.lower() == SKILL_FILE.lower() or before.get(path) != after[path]
            }
        )
