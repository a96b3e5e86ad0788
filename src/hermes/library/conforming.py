"""What an agent sends as SKILL.md → bytes that every client of the standard accepts.

Bytes that conform already are kept as they are. Others are written anew from what was understood,
and the notes say what that changed.
"""

from __future__ import annotations

from dataclasses import replace

from hermes.errors import CorruptData, InvalidSkill
from hermes.library.frontmatter import read_flat, split
from hermes.library.skillmd import SkillDocument, parse, render


def conform(data: bytes, name: str) -> tuple[bytes, list[str]]:
    """The bytes to store and notes on what was changed; raises InvalidSkill."""
    try:
        document = parse(data, folder=name)
    except CorruptData as error:
        raise InvalidSkill(
            error.message,
            findings=(error.message,),
            hint=error.hint or "send frontmatter with name and description, then the body",
        ) from error
    if document.name != name:
        finding = f"SKILL.md says its name is '{document.name}', the skill is '{name}'"
        raise InvalidSkill(finding, findings=(finding,), hint=f"send 'name: {name}'")
    written = render(replace(document, raw=b""))  # raises for what no rewriting could mend
    if _conforms(document):
        return data, []
    notes = [f"rewritten to conform: {warning}" for warning in document.warnings]
    return written, notes or ["rewritten to conform: the frontmatter is in plain block style now"]


def _conforms(document: SkillDocument) -> bool:
    """Flat fields of the six, nothing odd: what the strictest reader of the format reads."""
    if document.warnings or document.extra:
        return False
    frontmatter = split(document.raw.decode()).frontmatter
    return "---" not in frontmatter and read_flat(frontmatter) is not None
