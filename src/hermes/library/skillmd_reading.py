"""Making sense of a SKILL.md: bytes to text, fields to the six of the format and the rest.

Every oddity that is read over becomes a warning with the line it stands on, so that a person can
put it right; nothing is read over in silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hermes.errors import CorruptData
from hermes.ids import canonical_json
from hermes.library.frontmatter import Parts, read_fields, split
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


class SkillReading:
    """What has been understood of one file, and what was odd about it."""

    def __init__(self, data: bytes, where: str) -> None:
        self._where = where
        self._warnings: list[str] = []
        self._lines: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.metadata: dict[str, str] = {}
        self.extra: dict[str, Json] = {}
        try:
            parts = split(self._text(data))
            found = _fields(parts)
        except YamlFault as fault:
            raise CorruptData(fault.problem, where=where, line=fault.line) from fault
        self.body = parts.body
        self._first_line = parts.first_line
        for line, note in parts.notes:
            self._warn(line, note)
        for line, note in found.notes:
            self._warn(parts.first_line + line, note)
        self._sort(found)

    @property
    def warnings(self) -> tuple[str, ...]:
        more = len(self._warnings) - MAX_WARNINGS
        if more <= 0:
            return tuple(self._warnings)
        return (*self._warnings[:MAX_WARNINGS], f"{self._where}: and {more:,} warnings more")

    def name(self, folder: str | None) -> str | None:
        """The name, else the folder's."""
        name, line = self.texts.get("name"), self._lines.get("name", self._first_line)
        if name is None:
            instead = f": the folder's, '{folder}', is used" if folder else ""
            self._warn(line, f"there is no name{instead}")
            return folder
        if folder is not None and name != folder:
            self._warn(line, f"the name '{name[:80]}' is not that of the folder, '{folder}'")
        for problem in check_skill_name(name)[:1]:
            self._warn(line, problem)
        return name

    def description(self) -> str:
        """The description, without which nobody could know when to use the skill."""
        description = self.texts.get("description")
        if description is None:
            raise CorruptData(
                "there is no description",
                where=self._where,
                line=self._lines.get("description", self._first_line),
                hint="say in `description:` what the skill does and when to use it",
            )
        return description

    def _warn(self, line: int, text: str) -> None:
        self._warnings.append(f"{self._where}:{line}: {text}")

    def _text(self, data: bytes) -> str:
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
            self._warn(1, f"is read by few clients under this name: rename it to {SKILL_FILE}")
        if text.startswith(_BOM):
            self._warn(1, "starts with a byte order mark")
            text = text.removeprefix(_BOM)
        if "\r" in text:
            self._warn(1, "has line ends with CR")
            text = with_lf(text)
        if not text.endswith("\n"):
            self._warn(text.count("\n") + 1, "the last line has no line end")
        return text

    def _sort(self, found: Fields) -> None:
        """The six and the rest; another spelling of one of the six counts if that is missing."""
        for key, value in found.values.items():
            line = self._first_line + found.lines[key]
            real = key.lower().replace("_", "-")
            if real not in _SIX or (real != key and real in found.values):
                self.extra[key] = value
                self._warn(line, f"the field '{key[:60]}' is outside the format")
                continue
            if real != key:
                self._warn(line, f"the field '{key}' is written '{real}'")
            self._lines[real] = line
            if real == "metadata":
                self._flatten(value, line)
            else:
                self._take_text(real, value, line)

    def _take_text(self, key: str, value: Json, line: int) -> None:
        if not isinstance(value, str):
            self._warn(line, f"'{key}' is text, not a list or a mapping")
        if isinstance(value, list) and key == "allowed-tools":
            value = " ".join(as_prose(item) for item in value)  # as the format writes them
        text = as_prose(value).strip()
        if text:
            self.texts[key] = text
        limit = {"description": MAX_DESCRIPTION, "compatibility": MAX_COMPATIBILITY}.get(key)
        if limit and len(text) > limit:
            self._warn(line, f"'{key}' is longer than {limit:,} characters")

    def _flatten(self, value: Json, line: int) -> None:
        if not isinstance(value, dict):
            if value:
                self._warn(line, "'metadata' is a mapping, not text or a list")
                self.extra["metadata"] = value
            return
        if not all(isinstance(item, str) for item in value.values()):
            self._warn(line, "'metadata' is nested: read as dotted names with text")
        for name, text in _flattened(value, ""):
            if name in self.metadata:
                self._warn(line, f"metadata has '{name[:60]}' twice: the first one counts")
            else:
                self.metadata[name] = text


def with_lf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def as_prose(value: Json) -> str:
    """A value as a person would write it in one text."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {as_prose(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(as_prose(item) for item in value)
    return str(value)


def as_metadata(value: Json) -> str:
    """A value as one text of metadata: what is more than a list of words is written as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return canonical_json(value)


def _flattened(value: Mapping[str, Json], prefix: str) -> Iterator[tuple[str, str]]:
    """`{a: {b: [c, d]}}` as `a.b` → `c, d`: the format's metadata is flat text."""
    for key, item in value.items():
        if isinstance(item, dict) and item:
            yield from _flattened(item, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", as_metadata(item)


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
