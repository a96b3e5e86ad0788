"""SKILL.md ⇄ document: read leniently, written strictly.

What others wrote is read if there is any honest way to read it, with a warning for each oddity;
only a file without frontmatter, without a description, or that is no text, is refused. What we
write has the six fields of the format and nothing else, and passes the format's own validator. A
document that was read and not changed is written back byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypedDict, Unpack

from hermes.errors import InvalidSkill
from hermes.library import yaml_writing
from hermes.library.frontmatter import MAX_FRONTMATTER
from hermes.library.skillmd_reading import (
    MAX_BYTES,
    MAX_COMPATIBILITY,
    MAX_DESCRIPTION,
    SkillReading,
    as_metadata,
    as_prose,
    with_lf,
)
from hermes.records.codec import Json
from hermes.records.folder import SKILL_FILE
from hermes.rules.names import check_skill_name

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillDocument:
    """`extra` are the fields outside the six, as their author typed them; we never write those.

    `raw` are the bytes it was read from; change a document by `with_fields` only.
    """

    name: str | None
    description: str
    license: str | None = None
    compatibility: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    allowed_tools: str | None = None
    extra: Mapping[str, Json] = field(default_factory=dict)
    body: str = ""
    warnings: tuple[str, ...] = field(default=(), compare=False)
    raw: bytes = field(default=b"", compare=False, repr=False)

    @property
    def tags(self) -> tuple[str, ...]:
        """The first that is there: top-level tags, the format's way, Hermes Agent's way."""
        for value in (
            self.extra.get("tags"),
            self.metadata.get("tags"),
            self.metadata.get("hermes.tags"),
        ):
            if value:
                items = as_prose(value).strip("[] ").split(",")
                return tuple(dict.fromkeys(tag for item in items if (tag := item.strip(" \"'"))))
        return ()


class Changes(TypedDict, total=False):
    """What `with_fields` can change."""

    name: str
    description: str
    license: str | None
    compatibility: str | None
    metadata: Mapping[str, str]
    allowed_tools: str | None
    body: str


def parse(data: bytes, *, where: str = SKILL_FILE, folder: str | None = None) -> SkillDocument:
    """The document in these bytes; raises CorruptData, with `where` and line, if there is none.

    `folder` is the name of the skill's folder: it stands in for a missing name, and a name that
    differs from it is warned about.
    """
    reading = SkillReading(data, where)
    return SkillDocument(
        description=reading.description(),
        name=reading.name(folder),
        license=reading.texts.get("license"),
        compatibility=reading.texts.get("compatibility"),
        metadata=reading.metadata,
        allowed_tools=reading.texts.get("allowed-tools"),
        extra=reading.extra,
        body=reading.body,
        warnings=reading.warnings,
        raw=data,
    )


def with_fields(document: SkillDocument, **changes: Unpack[Changes]) -> SkillDocument:
    """The document with these fields changed; itself when none of them differs.

    Fields outside the six cannot be written, so the change moves them into metadata, where
    nothing of them is lost, and a warning says so.
    """
    changed = replace(document, **changes)
    if changed == document:
        return document
    notes = tuple(
        f"the field '{key[:60]}' is outside the format: it moved to metadata '{_moved(key)[:60]}'"
        for key in changed.extra
    )
    return replace(
        changed,
        metadata=_whole_metadata(changed),
        extra={},
        warnings=document.warnings + notes,
        raw=b"",
    )


def render(document: SkillDocument) -> bytes:
    """The bytes of the document; raises InvalidSkill for what the format does not allow."""
    if document.raw and parse(document.raw, folder=document.name) == document:
        return document.raw
    metadata = _whole_metadata(document)
    values = {
        "name": document.name or "",
        "description": document.description.strip(),
        "license": (document.license or "").strip(),
        "compatibility": (document.compatibility or "").strip(),
        "allowed-tools": (document.allowed_tools or "").strip(),
    }
    body = with_lf(document.body).strip("\n")
    findings = _findings(values, metadata, body)
    if not findings:
        lines = [yaml_writing.field(key, text) for key, text in values.items() if text]
        if metadata:
            lines.append(yaml_writing.field("metadata", metadata))
        frontmatter = "".join(lines)
        data = f"---\n{frontmatter}---\n\n{body}\n".encode()
        if len(frontmatter) <= MAX_FRONTMATTER and len(data) <= MAX_BYTES:
            return data
        findings = ["it is too large to be read again: move detail into files under references/"]
    raise InvalidSkill(
        f"{SKILL_FILE} cannot be written: {findings[0]}",
        findings=findings,
        hint="change this and send it again",
    )


def _findings(values: Mapping[str, str], metadata: Mapping[str, str], body: str) -> list[str]:
    """What the format, or our own reader, would refuse."""
    findings = check_skill_name(values["name"])
    if not values["description"]:
        findings.append("a description says what the skill does and when to use it; it is empty")
    for key, limit in (("description", MAX_DESCRIPTION), ("compatibility", MAX_COMPATIBILITY)):
        if len(values[key]) > limit:
            findings.append(
                f"'{key}' has at most {limit:,} characters, this one has {len(values[key]):,}"
            )
    if "\0" in body:
        findings.append("the body has a NUL character, so it is no text")
    if any(
        _SURROGATE.search(text) for text in (*values.values(), *metadata, *metadata.values(), body)
    ):
        findings.append("there is half of a surrogate pair, which is no character")
    return findings


def _moved(key: str) -> str:
    """What a field outside the six is called in metadata."""
    return "tags" if key == "tags" else f"x-{key}"


def _whole_metadata(document: SkillDocument) -> dict[str, str]:
    """The metadata together with the fields outside the six."""
    moved = {_moved(key): as_metadata(value) for key, value in document.extra.items()}
    return {**document.metadata, **moved}
