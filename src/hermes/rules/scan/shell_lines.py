"""Shell text as pipelines of plain words, with the commonest disguises taken off.

This is no shell: it follows variables that are set to plain text, joins split words, and keeps what
a substitution contains in place, because the question is only what flows where. Work is bounded;
a hostile file costs at most a fixed amount of time.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_LINE = 4_000
MAX_LINES = 6_000
MAX_NESTED = 30
MAX_VALUE = 400  # letters of a variable that are remembered

_ASSIGN = re.compile(
    r"^\s*(?:export\s+|local\s+|readonly\s+|declare\s+(?:-\w+\s+)?|set\s+)?(\$?[A-Za-z_]\w*)\s?=\s?(.*)$"
)
_LOOP = re.compile(r"^\s*for\s+([A-Za-z_]\w*)\s+in\s+(.*?)(?:;\s*do\b.*)?$")
_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)[^}]*\}|\$([A-Za-z_]\w*)")
_HEX = re.compile(r"\\x([0-9a-fA-F]{2})|\\([0-7]{3})")
_WORD = re.compile(r"""(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"?|'[^']*'?)+""")
_QUOTED = re.compile(
    r"""(["'])(?=(?:(?!\1).)*[|;&])(?=(?:(?!\1).)*\b(?:curl|wget|iwr|nc|bash|sh|python3?|node|base64)\b)"""
    r"""((?:(?!\1).)+)\1"""
)
_INNER = re.compile(r"\$\(|<\(|`")


@dataclass(frozen=True, slots=True)
class Command:
    """One program with its words, quotes removed; wrappers such as sudo are taken off the front."""

    words: tuple[str, ...]

    @property
    def name(self) -> str:
        return (
            re.split(r"[/\\]", self.words[0])[-1].lower().removesuffix(".exe") if self.words else ""
        )

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands whose output feeds the next; `text` is the whole with variables filled in."""

    line: int
    text: str
    commands: tuple[Command, ...]


@dataclass
class _State:
    variables: dict[str, str] = field(default_factory=dict)

    def fill(self, text: str) -> str:
        """Variables replaced by what they were set to; unknown ones stay as they are."""
        for _ in range(3):
            filled = _VARIABLE.sub(lambda m: self.variables.get(m[1] or m[2], m[0]), text)
            if filled == text or len(filled) > MAX_LINE:
                break
            text = filled
        return text[:MAX_LINE]


def pipelines(text: str) -> Iterator[Pipeline]:
    """Every pipeline of a script, in order, substitutions and quoted scripts included."""
    state = _State()
    for number, line in _logical_lines(text):
        filled = _undisguise(state.fill(line))
        _remember(state, line, filled)
        for part in split_outside_quotes(filled, (";", "&&", "||", "\n", "&")):
            yield from _pipeline(number, part)


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """(offset, line) with continued lines joined; here-documents are lines like any other."""
    waiting, began = "", 0
    for number, line in enumerate(text.split("\n")[:MAX_LINES]):
        line = re.sub(r"^\s*(?:[$>%]\s+|PS[^>]*>\s*)(?=\S)", "", line.rstrip("\r"))[:MAX_LINE]
        if not waiting:
            began = number
        joined = (waiting + line).strip()
        continued = line.endswith("\\") or line.rstrip().endswith(("|", "&&"))
        if continued and len(joined) < MAX_LINE:
            waiting = joined.rstrip("\\") + " "
            continue
        waiting = ""
        if joined and not joined.startswith("#"):
            yield began, joined
    if waiting.strip():
        yield began, waiting.strip()


def _undisguise(line: str) -> str:
    line = line.replace("${IFS}", " ").replace("$IFS", " ").replace("$'", "'")
    if "\\x" in line or re.search(r"\\[0-7]{3}", line):
        line = _HEX.sub(lambda m: chr(int(m[1], 16) if m[1] else int(m[2], 8) % 256), line)
    line = re.sub(r"(?<=\w)(?:''|\"\"|\\(?=[a-z]))(?=\w)", "", line)
    return re.sub(r"\$\(\s*printf\s+['\"]?(\w+)['\"]?\s*\)", r"\1", line)


def _remember(state: _State, line: str, filled: str) -> None:
    loop = _LOOP.match(filled)
    if loop:
        state.variables[loop[1]] = loop[2]
        return
    raw, assigned = _ASSIGN.match(line), _ASSIGN.match(filled)
    if not raw or not assigned or len(assigned[2]) > MAX_VALUE:
        return
    value = _reversed_echo(assigned[2].strip().rstrip(";").strip("\"'"))
    name = raw[1].lstrip("$")
    if f"${name}" not in value:  # a name that means itself would only grow
        state.variables[name] = value


def _reversed_echo(value: str) -> str:
    match = re.match(r"\$\(\s*echo\s+['\"](.*)['\"]\s*\|\s*rev\s*\)$", value)
    return match[1][::-1] if match else value


def _pipeline(number: int, text: str) -> Iterator[Pipeline]:
    """A pipeline and those inside it, nearest first, as many as a line can honestly hold."""
    waiting, seen = deque([text]), set[str]()
    while waiting and len(seen) < MAX_NESTED:
        inner = waiting.popleft()
        if inner in seen:
            continue
        seen.add(inner)
        parts = (_command(part) for part in split_outside_quotes(inner, ("|",)))
        commands = tuple(command for command in parts if command.words)
        if commands:
            yield Pipeline(number, inner.strip(), commands)
        waiting.extend(_substitutions(inner))


_WRAPPERS = frozenset(
    "sudo doas env nohup command exec time xargs nice setsid timeout stdbuf do then else if while !".split()
)


def _command(text: str) -> Command:
    words = [_unquote(match[0]) for match in _WORD.finditer(text.strip("(){} \t"))]
    while len(words) > 1 and (words[0] in _WRAPPERS or re.match(r"\w+=", words[0])):
        words = words[1:]
        while len(words) > 1 and words[0].startswith("-"):
            words = words[1:]
    return Command(tuple(words))


def _unquote(word: str) -> str:
    return (
        re.sub(r"""["']""", "", word) if word[:1] in "\"'" or '"' in word or "'" in word else word
    )


def _substitutions(text: str) -> Iterator[str]:
    """What stands inside $(…), <(…), `…`, and quoted text that is itself a command line."""
    found = []
    for match in list(_INNER.finditer(text))[:20]:
        closing = "`" if match[0] == "`" else ")"
        found.append(text[match.end() : _closing(text, match.end(), closing)])
    found += [match[2] for match in list(_QUOTED.finditer(text))[:20]]
    evaluated = re.match(r"\s*(?:eval|sudo\s+sh\s+-c|sh\s+-c|bash\s+-c)\s+(.+)$", text)
    if evaluated:
        found.append(evaluated[1].strip("\"'"))
    for inner in dict.fromkeys(found):
        if inner.strip() and len(inner) < len(text):
            yield inner


def _closing(text: str, start: int, closing: str) -> int:
    depth = 1
    for at in range(start, len(text)):
        if text[at] == closing:
            depth -= 1
            if depth == 0:
                return at
        elif closing == ")" and text[at] == "(":
            depth += 1
    return len(text)


def split_outside_quotes(text: str, marks: tuple[str, ...]) -> list[str]:
    """The text cut at the marks, but not inside quotes or substitutions."""
    parts, start, at, quote, depth = [], 0, 0, "", 0
    while at < len(text):
        char = text[at]
        if quote:
            if char == "\\" and quote == '"':
                at += 1
            elif char == quote:
                quote = ""
        elif char in "\"'`":
            quote = char
        elif char == "(":
            depth += 1
        elif char == ")":
            depth = max(0, depth - 1)
        elif depth == 0:
            mark = next((m for m in marks if text.startswith(m, at)), None)
            if mark and not _is_redirect(text, at, mark):
                parts.append(text[start:at])
                at += len(mark)
                start = at
                continue
        at += 1
    parts.append(text[start:])
    return [part for part in parts if part.strip()]


def _is_redirect(text: str, at: int, mark: str) -> bool:
    """`2>&1`, `&>` and `||` are no cuts of a single mark."""
    if mark == "&":
        return text[at - 1 : at] in (">", "<") or text[at + 1 : at + 2] in (">", "&")
    if mark == "|":
        return text[at + 1 : at + 2] == "|" or text[at - 1 : at] in ("|", ">")
    return False
