"""SKILL.md ⇄ document: read leniently, written strictly.

What others wrote is read if there is any honest way to read it, with a warning for each oddity;
only a file without frontmatter, without a description, or that is no text, is refused. What we
write has the six fields of the format and nothing else, and passes the format's own validator. A
document that was read and not changed is written back byte for byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TypedDict, Unpack

from hermes.errors import CorruptData, InvalidSkill
from hermes.ids import canonical_json
from hermes.library import yaml_writing
from hermes.library.frontmatter import MAX_FRONTMATTER, Parts, read_fields, split
from hermes.library.yaml_reading import Fields, TooMuchYaml, YamlFault
from hermes.records.codec import Json
from hermes.records.folder import SKILL_FILE
from hermes.rules.names import check_skill_name

MAX_BYTES = 1024 * 1024
"""As for every file of a skill; nothing larger is looked at."""
MAX_DESCRIPTION = 1_024
MAX_COMPATIBILITY = 500
MAX_WARNINGS = 50

_TEXT_FIELDS = ("name", "description", "license", "compatibility", "allowed-tools")
_SIX = (*_TEXT_FIELDS, "metadata")
_BOM = "\ufeff"


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
                items = _as_text(value).strip("[] ").split(",")
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
    reading = _Reading(where)
    try:
        parts = split(reading.text(data))
        for line, note in parts.notes:
            reading.warn(line, note)
        found = _fields(parts)
    except YamlFault as fault:
        raise CorruptData(fault.problem, where=where, line=fault.line) from fault
    for line, note in found.notes:
        reading.warn(parts.first_line + line, note)
    reading.fields(found, parts.first_line)
    name = reading.name(folder)
    return SkillDocument(
        name=name,
        description=reading.description(parts.first_line),
        license=reading.texts.get("license"),
        compatibility=reading.texts.get("compatibility"),
        metadata=reading.metadata,
        allowed_tools=reading.texts.get("allowed-tools"),
        extra=reading.extra,
        body=parts.body,
        warnings=reading.all_warnings(),
        raw=data,
    )


def with_fields(document: SkillDocument, **changes: Unpack[Changes]) -> SkillDocument:
    """The document with these fields changed; itself when none of them differs.

    Fields outside the six cannot be written, so the change moves them into metadata, where
    nothing of them is lost and a warning says so.
    """
    changed = replace(document, **changes)
    if changed == document:
        return document
    moved = _with_extra(changed.metadata, changed.extra)
    notes = tuple(
        f"the field '{key}' is outside the format: moved to metadata as '{_moved_name(key)}'"
        for key in changed.extra
    )
    warnings = document.warnings + notes
    return replace(changed, metadata=moved, extra={}, warnings=warnings, raw=b"")


def render(document: SkillDocument) -> bytes:
    """The bytes of the document; raises InvalidSkill for what the format does not allow."""
    if document.raw and parse(document.raw, folder=document.name) == document:
        return document.raw
    metadata = _with_extra(document.metadata, document.extra)
    findings = _findings(document)
    if findings:
        raise InvalidSkill(
            f"{SKILL_FILE} cannot be written: {findings[0]}",
            findings=findings,
            hint="change these fields and send it again",
        )
    values: list[tuple[str, str | None]] = [
        ("name", document.name),
        ("description", document.description),
        ("license", document.license),
        ("compatibility", document.compatibility),
        ("allowed-tools", document.allowed_tools),
    ]
    lines = [yaml_writing.field(key, text.strip()) for key, text in values if text and text.strip()]
    if metadata:
        lines.append(yaml_writing.field("metadata", metadata))
    frontmatter = "".join(lines)
    body = _with_lf(document.body).strip("\n")
    data = f"---\n{frontmatter}---\n\n{body}\n".encode()
    if len(frontmatter) > MAX_FRONTMATTER or len(data) > MAX_BYTES:
        raise InvalidSkill(
            f"{SKILL_FILE} cannot be written: it would be too large to be read again",
            hint="move detail into files under references/",
        )
    return data


def _findings(document: SkillDocument) -> list[str]:
    findings = check_skill_name(document.name or "")
    description = document.description.strip()
    if not description:
        findings.append("a description says what the skill does and when to use it; it is empty")
    if len(description) > MAX_DESCRIPTION:
        findings.append(
            f"a description has at most {MAX_DESCRIPTION:,} characters, this one has "
            f"{len(description):,}"
        )
    compatibility = (document.compatibility or "").strip()
    if len(compatibility) > MAX_COMPATIBILITY:
        findings.append(f"compatibility has at most {MAX_COMPATIBILITY} characters")
    if "\0" in document.body:
        findings.append("the body has a NUL character")
    for part in fields(document):
        value = getattr(document, part.name)
        try:
            canonical_json(value if not isinstance(value, bytes) else "").encode()
        except UnicodeEncodeError:
            findings.append(f"{part.name} has half of a surrogate pair, which is no character")
    return findings


class _Reading:
    """What has been understood of one file, and what was odd about it."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._warnings: list[str] = []
        self._lines: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.metadata: dict[str, str] = {}
        self.extra: dict[str, Json] = {}

    def warn(self, line: int, text: str) -> None:
        self._warnings.append(f"{self._where}:{line}: {text}")

    def all_warnings(self) -> tuple[str, ...]:
        more = len(self._warnings) - MAX_WARNINGS
        if more <= 0:
            return tuple(self._warnings)
        return (*self._warnings[:MAX_WARNINGS], f"{self._where}: and {more:,} warnings more")

    def text(self, data: bytes) -> str:
        """The bytes as text with LF line ends."""
        if len(data) > MAX_BYTES:
            raise TooMuchYaml(f"has {len(data):,} bytes, at most {MAX_BYTES:,} are read", 1)
        nul = data.find(b"\0")
        if nul != -1:
            raise YamlFault(f"has a NUL at byte {nul:,}: it is no text", _line_at(data, nul))
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = _line_at(data, error.start)
            raise YamlFault(f"is not UTF-8 at byte {error.start:,}", line) from error
        last = self._where.replace("\\", "/").rpartition("/")[2]
        if last != SKILL_FILE and last.lower() == SKILL_FILE.lower():
            self.warn(1, f"is read by few clients under this name: rename it to {SKILL_FILE}")
        if text.startswith(_BOM):
            self.warn(1, "starts with a byte order mark")
            text = text.removeprefix(_BOM)
        if "\r" in text:
            self.warn(1, "has line ends with CR")
            text = _with_lf(text)
        if not text.endswith("\n"):
            self.warn(text.count("\n") + 1, "the last line has no line end")
        return text

    def fields(self, found: Fields, first_line: int) -> None:
        """The six and the rest; another spelling of one of the six counts if that is missing."""
        for key, value in found.values.items():
            line = first_line + found.lines[key]
            real = key.lower().replace("_", "-")
            if real not in _SIX or (real != key and real in found.values):
                self.extra[key] = value
                self.warn(line, f"the field '{key[:60]}' is outside the format")
                continue
            if real != key:
                self.warn(line, f"the field '{key}' is written '{real}'")
            self._lines[real] = line
            if real == "metadata":
                self._metadata(value, line)
                continue
            if not isinstance(value, str):
                self.warn(line, f"'{real}' is text, not a list or a mapping")
            text = _as_text(value).strip()
            if text:
                self.texts[real] = text

    def _metadata(self, value: Json, line: int) -> None:
        if not isinstance(value, dict):
            if value:
                self.warn(line, "'metadata' is a mapping, not text or a list")
                self.extra["metadata"] = value
            return
        nested = any(not isinstance(item, str) for item in value.values())
        if nested:
            self.warn(line, "'metadata' is nested: read as dotted names with text")
        for name, text in _flattened(value, ""):
            if self.metadata.setdefault(name, text) is not text:
                self.warn(line, f"metadata has '{name[:60]}' twice: the first one counts")

    def name(self, folder: str | None) -> str | None:
        name, line = self.texts.get("name"), self._lines.get("name", 1)
        if name is None:
            instead = f": the folder's, '{folder}', is used" if folder else ""
            self.warn(line, f"there is no name{instead}")
            return folder
        if folder is not None and name != folder:
            self.warn(line, f"the name '{name[:80]}' is not that of the folder, '{folder}'")
        for problem in check_skill_name(name)[:1]:
            self.warn(line, problem)
        return name

    def description(self, first_line: int) -> str:
        description = self.texts.get("description")
        line = self._lines.get("description", first_line)
        if description is None:
            raise CorruptData(
                "there is no description",
                where=self._where,
                line=line,
                hint="say in `description:` what the skill does and when to use it",
            )
        for key, limit in (("description", MAX_DESCRIPTION), ("compatibility", MAX_COMPATIBILITY)):
            if len(self.texts.get(key, "")) > limit:
                self.warn(self._lines[key], f"'{key}' is longer than {limit:,} characters")
        return description


def _fields(parts: Parts) -> Fields:
    try:
        return read_fields(parts.frontmatter)
    except YamlFault as fault:
        fault.problem = f"the frontmatter cannot be read: {fault.problem}"
        last = max(parts.frontmatter.count("\n") - 1, 0)  # YAML may only notice behind the end
        fault.line = parts.first_line + min(fault.line, last)
        raise


def _line_at(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1


def _with_lf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _as_text(value: Json) -> str:
    """A value as a person would write it in one text."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_as_text(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(_as_text(item) for item in value)
    return str(value)


def _flattened(value: Mapping[str, Json], prefix: str) -> list[tuple[str, str]]:
    """`{a: {b: [c, d]}}` as `a.b` → `c, d`: the format's metadata is flat text."""
    flat: list[tuple[str, str]] = []
    for key, item in value.items():
        if isinstance(item, dict):
            flat += _flattened(item, f"{prefix}{key}.")
        else:
            flat.append((f"{prefix}{key}", _as_text(item)))
    return flat


def _moved_name(key: str) -> str:
    return "tags" if key == "tags" else f"x-{key}"


def _with_extra(metadata: Mapping[str, str], extra: Mapping[str, Json]) -> dict[str, str]:
    """Metadata with the fields outside the six: text as text, the rest as JSON."""
    moved = dict(metadata)
    for key, value in extra.items():
        is_list = isinstance(value, list) and all(isinstance(item, str) for item in value)
        is_text = isinstance(value, str) or is_list
        moved[_moved_name(key)] = _as_text(value) if is_text else canonical_json(value)
    return moved
