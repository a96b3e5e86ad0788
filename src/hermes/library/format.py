"""The agentskills.io format behind the SkillFormat and SkillWriter ports."""

from __future__ import annotations

from collections.abc import Mapping

from hermes.errors import CorruptData
from hermes.library.skillmd import SkillDocument, parse, render
from hermes.records.folder import Folder
from hermes.records.procedure import Procedure
from hermes.records.reading import Reading
from hermes.rules.folder_rules import check_folder, skill_file
from hermes.rules.procedures import PROCEDURE_FILE, ProcedureFault, procedure_of


class AgentSkillFormat:
    def read(self, folder: Folder, *, name: str, strict: bool) -> Reading:
        findings = check_folder(folder, name=name, strict=strict)
        errors = [str(finding) for finding in findings if finding.fatal]
        warnings = [str(finding) for finding in findings if not finding.fatal]
        procedure, faults = _procedure(folder)
        errors += faults
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
            procedure=procedure,
            errors=tuple(errors),
            warnings=(*warnings, *document.warnings),
        )

    def write(
        self,
        *,
        name: str,
        description: str,
        body: str,
        compatibility: str = "",
        metadata: Mapping[str, str] | None = None,
    ) -> bytes:
        return render(
            SkillDocument(
                name=name,
                description=description,
                compatibility=compatibility or None,
                metadata=metadata or {},
                body=body,
            )
        )


def _procedure(folder: Folder) -> tuple[Procedure | None, list[str]]:
    try:
        return procedure_of(folder), []
    except ProcedureFault as fault:
        return None, [f"{PROCEDURE_FILE}: {fault}"]
