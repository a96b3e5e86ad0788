"""Reading a frontmatter that is almost YAML, field by field.

One unquoted colon makes YAML refuse a whole file, and with it the fields that restrict a skill. So
each top-level field is read by itself: what YAML accepts is taken from YAML, and what it refuses
is taken as the text that stands there, with a note. Nothing is guessed beyond that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hermes.library.yaml_reading import Fields, TooMuchYaml, YamlFault, read_yaml
from hermes.records.codec import Json

MAX_FIELDS = 500
"""Each costs a start of the YAML parser; a real file has about five."""
_MAX_LEVELS = 3

_KEY = re.compile(r"""("[^"\n]+"|'[^'\n]+'|[A-Za-z_][\w.-]*)[ \t]*:(?=[ \t]|$)""")
# Without the space only where it cannot be anything else, as it could be in `http://`.
_TIGHT_KEY = re.compile(r"(name|description|license|compatibility|tags|version):(?=\S)", re.I)
_BLOCK_MARK = re.compile(r"[|>][+-]?\d?[ \t]*")
_INDENT = re.compile(r"[ \t]*")


@dataclass(slots=True)
class _Chunk:
    """One field with the lines that follow it; `after_key` is where its value starts."""

    key: str
    line: int
    after_key: int
    lines: list[str]


def read_field_by_field(text: str, fault: YamlFault) -> Fields:
    """The fields of a text that YAML refused with this fault, which is raised if there are none."""
    fields = _Repair().read(text, 0, 0)
    if not fields.values:
        raise fault
    return fields


class _Repair:
    """One frontmatter's repair: counts the fields over all levels, so that the work is bounded."""

    def __init__(self) -> None:
        self._count = 0

    def read(self, text: str, first_line: int, level: int) -> Fields:
        fields = Fields()
        for chunk in _chunks(text, first_line, fields):
            self._count += 1
            if self._count > MAX_FIELDS:
                raise TooMuchYaml(f"has more than {MAX_FIELDS} fields", chunk.line)
            if chunk.key in fields.values:
                note = f"'{chunk.key[:60]}' is there twice: the first one counts"
                fields.notes.append((chunk.line, note))
                continue
            fields.values[chunk.key] = self._value(chunk, level, fields)
            fields.lines[chunk.key] = chunk.line
        return fields

    def _value(self, chunk: _Chunk, level: int, fields: Fields) -> Json:
        """By YAML; by YAML with spaces for tabs; as fields of its own; as the text it is."""
        problem = ""
        untabbed = [_untabbed(line) for line in chunk.lines]
        for lines in [chunk.lines] if untabbed == chunk.lines else [chunk.lines, untabbed]:
            try:
                value = _by_yaml(chunk, lines, fields)
            except TooMuchYaml:
                raise
            except YamlFault as fault:
                problem = fault.problem
                continue
            if lines is not chunk.lines:
                fields.notes.append((chunk.line, f"'{chunk.key}' is indented with tabs"))
            return value
        first, rest = untabbed[0][chunk.after_key :].strip(), untabbed[1:]
        if not first and level < _MAX_LEVELS and _has_fields(rest):
            inner = self.read("\n".join(rest), chunk.line + 1, level + 1)
            fields.notes += inner.notes
            return inner.values
        note = f"'{chunk.key}' is not valid YAML ({problem}): read as plain text; quote it"
        fields.notes.append((chunk.line, note))
        return _as_text(first, rest)


def _chunks(text: str, first_line: int, fields: Fields) -> list[_Chunk]:
    lines = text.split("\n")
    margin = min((_width(line) for line in lines if line.strip()), default=0)
    chunks: list[_Chunk] = []
    for number, whole in enumerate(lines, start=first_line):
        line = "" if whole.startswith("#") else whole[margin:]
        match = _KEY.match(line) or _TIGHT_KEY.match(line)
        if match:
            key = match[1].strip("\"'")
            chunks.append(_Chunk(key, number, match.end(), [line]))
        elif chunks:
            chunks[-1].lines.append(line)
        elif line.strip():
            fields.notes.append((number, "is not a field: left out"))
    return chunks


def _by_yaml(chunk: _Chunk, lines: list[str], fields: Fields) -> Json:
    # Under a key of our own: one that lacks its space, or its quotes, is no key to YAML.
    first = f"field: {lines[0][chunk.after_key :].lstrip()}"
    try:
        read = read_yaml("\n".join([first, *lines[1:]]))
    except YamlFault as fault:
        fault.line += chunk.line
        raise
    if list(read.values) != ["field"]:
        raise YamlFault("it runs into the next line", chunk.line)
    fields.notes += [(chunk.line + line, text) for line, text in read.notes]
    return read.values["field"]


def _width(line: str) -> int:
    match = _INDENT.match(line)
    return match.end() if match else 0


def _untabbed(line: str) -> str:
    width = _width(line)
    return line[:width].replace("\t", "  ") + line[width:]


def _has_fields(lines: list[str]) -> bool:
    first = next((line for line in lines if line.strip()), "")
    return _KEY.match(first, _width(first)) is not None and _width(first) > 0


def _as_text(first: str, rest: list[str]) -> str:
    """What was meant to be a scalar: the lines joined, without block marks and outer quotes."""
    mark = _BLOCK_MARK.fullmatch(first)
    if mark:
        first = ""
    joiner = "\n" if mark and mark.group().startswith("|") else " "
    text = joiner.join(line.strip() for line in [first, *rest] if line.strip())
    for quote in "\"'":
        if text.startswith(quote):
            text = text[1:].removesuffix(quote)
            return text.replace('\\"', '"') if quote == '"' else text.replace("''", "'")
    return text
