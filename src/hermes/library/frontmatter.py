"""The fields between the two `---` lines of a SKILL.md, read as generously as is safe.

Three readers, each for what the one before could not read: a plain one for the flat
`key: value` lines of most files (a fifth of YAML's cost, and equal to it, which a test proves),
YAML, and one that takes the fields one by one and what YAML refuses as the text it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hermes.library.field_repair import read_field_by_field
from hermes.library.yaml_reading import Fields, TooMuchYaml, YamlFault, read_yaml

MAX_FRONTMATTER = 65_536
"""Characters; sixty times the longest description. Checked before any parser runs."""

_OPENING = re.compile(r"---+[ \t]*\n")
_CLOSING = re.compile(r"^(?:---+|\.\.\.)[ \t]*$", re.MULTILINE)
_CODE_FENCE = re.compile(r"(```+|~~~+)[ \t]*\w*[ \t]*\n(?=---)")

# What YAML calls unprintable, and the characters that only YAML takes for line ends.
_UNREADABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_LINE_ENDS_OF_YAML = "\x85\u2028\u2029"

_FLAT_LINE = re.compile(
    r"""([A-Za-z_][A-Za-z0-9_-]{0,63}):
        (?: [ ]+ (?: "([^"\\]*)" | '((?:[^']|'')*)' | ([\w/.(].*) ) )?""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Parts:
    """A SKILL.md in two; `first_line` is that of the frontmatter, counted from 1."""

    frontmatter: str
    first_line: int
    body: str
    notes: tuple[tuple[int, str], ...]


def split(text: str) -> Parts:
    """The frontmatter and the body; raises YamlFault where there is no frontmatter.

    Expects LF line ends. Lines in notes and faults count from 1 here.
    """
    notes: list[tuple[int, str]] = []
    start = len(text) - len(text.lstrip("\n \t"))
    if start:
        notes.append((1, "starts with blank lines or spaces"))
    fence = _CODE_FENCE.match(text, start)
    if fence:
        notes.append((1, "is wrapped in a code fence"))
        start = fence.end()
    opening = _OPENING.match(text, start)
    line = text.count("\n", 0, start) + 1
    if not opening:
        raise YamlFault("there is no frontmatter: the first line is not ---", line)
    closing = _CLOSING.search(text, opening.end())
    if not closing:
        raise YamlFault("the frontmatter is never closed by a line of ---", line)
    frontmatter = text[opening.end() : closing.start()]
    if len(frontmatter) > MAX_FRONTMATTER:
        raise TooMuchYaml(
            f"the frontmatter has {len(frontmatter):,} characters, at most {MAX_FRONTMATTER:,}",
            line,
        )
    body = text[closing.end() + 1 :].lstrip("\n")
    if fence:
        body = re.sub(rf"\n{fence.group(1)}\s*\Z", "\n", body)
    return Parts(frontmatter, line + 1, body, tuple(notes))


def read_fields(text: str) -> Fields:
    """The fields of a frontmatter; lines count from 0. Raises YamlFault when there are none."""
    text, notes = _readable(text)
    fields = read_flat(text)
    if fields is None:
        try:
            fields = read_yaml(text)
        except TooMuchYaml:
            raise
        except YamlFault as fault:
            fields = read_field_by_field(text, fault)
    fields.notes[:0] = notes
    return fields


def read_flat(text: str) -> Fields | None:
    """Flat fields and flat mappings of them, without YAML; None for anything else.

    Says exactly what YAML would say, or nothing: whatever could mean something to YAML (a quote
    inside, a colon, a comment, a tab, a continued line) is left to it.
    """
    if "\t" in text:
        return None
    fields = Fields()
    parent: str | None = None  # an empty field, which may turn out to be a mapping
    child_indent = 0
    for number, line in enumerate(text.split("\n")):
        line = line.rstrip(" ")
        if not line or line[0] == "#":
            continue
        indent = len(line) - len(line.lstrip(" "))
        match = _FLAT_LINE.fullmatch(line, indent)
        value = _flat_value(match) if match else None
        if match is None or value is None:
            return None
        key = match[1]
        target = fields.values
        if indent == 0:
            parent = key if match.lastindex == 1 else None
            child_indent = 0
            fields.lines[key] = number
        elif parent is not None and child_indent in (0, indent):
            target = fields.values[parent] or {}
            fields.values[parent] = target
            child_indent = indent
        else:
            return None
        if key in target:
            return None
        target[key] = value
    return fields


def _flat_value(match: re.Match[str]) -> str | None:
    _, double, single, plain = match.groups()
    if plain is not None:
        return None if ": " in plain or " #" in plain or plain[-1] == ":" else plain
    if single is not None:
        return single.replace("''", "'")
    return double or ""


def _readable(text: str) -> tuple[str, list[tuple[int, str]]]:
    """The text without what no YAML may contain, and where that was."""
    notes: dict[int, str] = {}
    line = position = 0
    for match in _UNREADABLE.finditer(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        notes.setdefault(line, f"has the unusual character U+{ord(match.group()):04X}: left out")
    if not notes:
        return text, []
    cleaned = _UNREADABLE.sub(lambda m: " " if m.group() in _LINE_ENDS_OF_YAML else "", text)
    return cleaned, list(notes.items())
