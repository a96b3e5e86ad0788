"""The format check: is this folder a skill that every client of the standard can read?"""

from __future__ import annotations

from hermes.ports import SkillFormat
from hermes.records.candidate import Candidate
from hermes.records.folder import Folder
from hermes.records.origin import AGENT_ORIGINS
from hermes.records.verdict import Check, CheckOutcome


class FormatCheck:
    """Strict on what a machine wrote, lenient on what a person or another program did."""

    def __init__(self, skill_format: SkillFormat) -> None:
        self._format = skill_format

    def check(self, candidate: Candidate, folder: Folder) -> Check:
        strict = candidate.origin in AGENT_ORIGINS
        reading = self._format.read(folder, name=candidate.skill_name, strict=strict)
        if reading.errors:
            return Check(name="format", outcome=CheckOutcome.FAILED, findings=reading.errors)
        outcome = CheckOutcome.WARNED if reading.warnings else CheckOutcome.PASSED
        return Check(name="format", outcome=outcome, findings=reading.warnings)
