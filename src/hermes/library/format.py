"""The agentskills.io format behind the SkillFormat port."""

from __future__ import annotations

from hermes.errors import CorruptData
from hermes.library.skillmd import parse
from hermes.records.folder import Folder
from hermes.records.reading import Reading
from hermes.rules.folder_rules import check_folder, skill_file


class AgentSkillFormat:
    def read(self, folder: Folder, *, name: str, strict: bool) -> Reading:
        findings = check_folder(folder, name=name, strict=strict)
        errors = [str(finding) for finding in findings if finding.fatal]
        warnings = [str(finding) for finding in findings if not finding.fatal]
        path = skill_file(folder.files)
        if path is None:
            return Reading(description="", errors=tuple(errors), warnings=tuple(warnings))
        try:
            document = parse(folder.files[path].data, where=path, folder=name)
        except CorruptData as error:
            errors.append(str(error))
            return Reading(description="", errors=tuple(errors), warnings=tuple(warnings))
        return Reading(
            description=document.description,
            tags=document.tags,
            errors=tuple(errors),
            warnings=(*warnings, *document.warnings),
        )
