"""The frontmatter and the settings files of a package → effects and prose."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hermes.rules.scan.effects import Effect, Kind, Piece, Surface
from hermes.rules.scan.markdown import sentences
from hermes.rules.scan.shell import shell_effects

_OPEN = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^([A-Za-z_][\w-]*)\s*:\s*(.*)$")
_EVERY_TOOL = re.compile(
    r"(?:^|[\s,\[\"'])(?:\*|all|any|Bash\(\*(?::\*)?\)|mcp__\*)(?=$|[\s,\]\"'])", re.IGNORECASE
)
_SHELL_TOOLS = re.compile(r"\b(?:Bash|Shell|Execute|Terminal|Computer)\b(?!\()")
_WRITE_TOOLS = re.compile(r"\b(?:Write|Edit|MultiEdit)\b")
_NET_TOOLS = re.compile(r"\b(?:WebFetch|WebSearch|Fetch|Http)\b")


def split_front(text: str) -> tuple[str, str, int]:
    """(frontmatter, body, line on which the body begins); a page without one is all body."""
    match = _OPEN.match(text)
    if not match:
        return "", text, 1
    return match[1], text[match.end() :], 1 + text.count("\n", 0, match.end())


def front_fields(front: str) -> dict[str, tuple[int, str]]:
    """Top-level field → (line, its text); nested lines belong to the field above them.

    Read by lines on purpose: what a lenient reader might still see must be seen here too.
    """
    fields: dict[str, tuple[int, str]] = {}
    name = ""
    for number, line in enumerate(front.splitlines(), start=2):
        match = _FIELD.match(line)
        if match:
            name = match[1].lower()
            fields[name] = (number, match[2].strip().strip("\"'|>"))
        elif name:
            began, text = fields[name]
            fields[name] = (began, f"{text}\n{line.strip()}")
    return fields


def front_pieces(file: str, fields: dict[str, tuple[int, str]]) -> Iterator[Piece]:
    """The prose of the frontmatter, sentence by sentence."""
    for line, text in fields.values():
        yield from sentences(Piece(file, line, text, Surface.FRONT, "", "frontmatter"))


def front_effects(file: str, fields: dict[str, tuple[int, str]]) -> Iterator[Effect]:
    """What the frontmatter grants itself, and commands it carries."""
    line, tools = fields.get("allowed-tools", fields.get("allowed_tools", (0, "")))
    if tools and (
        _EVERY_TOOL.search(tools)
        or (_SHELL_TOOLS.search(tools) and _WRITE_TOOLS.search(tools) and _NET_TOOLS.search(tools))
    ):
        yield Effect(Kind.BROAD_TOOLS, file, line, tools[:80], surface=Surface.FRONT)
    for name in ("metadata", "hooks", "install", "openclaw", "setup"):
        if name in fields:
            line, text = fields[name]
            yield from shell_effects(Piece(file, line, _commands(text), Surface.FRONT, "shell"))


def _commands(text: str) -> str:
    """The values of a nested block, one to a line, without keys and quotes."""
    values = re.findall(
        r"[\"']?[\w-]+[\"']?\s*:\s*[\"']([^\"'\n]{6,})[\"']|:\s+([^\"'{\[\n]{6,})$",
        text,
        re.MULTILINE,
    )
    return "\n".join(a or b for a, b in values)
