"""Shell text as words and operators: enough of the grammar to compare commands, not to run them.

What this does not understand (loops, functions, substitutions that span words) stays one opaque
script: it can still be compared as a whole and run by a real shell.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hermes.rules.mine.word_sets import words

_HEREDOC = re.compile(
    r"^(?P<command>[^\n]*?)<<-?\s*(?P<quote>['\"]?)(?P<mark>\w+)(?P=quote)(?P<rest>[^\n]*)\n"
    r"(?P<body>.*?\n)??^[ \t]*(?P=mark)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_COMMENT_LINE = re.compile(r"^[ \t]*#[^\n]*(?:\n|$)", re.MULTILINE)
# A redactor's placeholder is a word, though a shell would read a redirection there.
_HIDDEN = r"<(?:email|name|host|account|card|phone|path)_\d+>"
_TOKEN = re.compile(
    r"(?P<space>[ \t]+|\\\n)"
    rf"|(?P<operator>\d?>>|\d?>&\d?|&>|\d?>|&&|\|\||;;|\||;|(?!{_HIDDEN})<|&|\n|\(|\))"
    rf"|(?P<word>(?:{_HIDDEN}|[^\s'\"\\|&;<>()]|\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\")+)",
    re.DOTALL,
)
_CONTROL = re.compile(
    r"(?:^|[;&|\n]\s*)(?:for|while|until|if|case|function|select|cd|export|source|set|trap|local|"
    r"declare|pushd|popd|eval|\w+=\S*\s*(?:$|[;&\n])|\w+\s*\(\))(?:\s|$)|(?:^|[;&\n]\s*)\w+=\S*\s*"
    r"(?:[;&\n]|$)"
)
_ENDS = ("&&", ";", "\n")
_GOES_ON = ("|", "||", "&&")
"""After one of these a line end is only a blank."""
REDIRECTS = frozenset({">", ">>", "1>", "1>>", "2>", "2>>", "&>"})
INTERPRETERS = words("bash sh zsh dash python python3 perl ruby node php lua osascript")


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is what a program would be given: without the quotes; `raw` is with them.

    A `glued` token follows the one before it without a blank: they are one word.
    """

    text: str
    operator: bool = False
    expands: bool = False
    raw: str = ""
    glued: bool = False


@dataclass(frozen=True, slots=True)
class Heredoc:
    """`command` is the line that the body is fed to, without the `<<` mark."""

    command: str
    body: str


def tokens_of(script: str) -> list[Token] | None:
    """None where the text is no plain list of commands."""
    if "<<" in script:
        return None
    found: list[Token] = []
    at = 0
    while at < len(script):
        match = _TOKEN.match(script, at)
        if match is None:
            return None
        at = match.end()
        if match["operator"] == "\n" and found and found[-1].text in _GOES_ON:
            continue
        if match["operator"]:
            found.append(Token(match["operator"], operator=True))
        elif match["word"]:
            word = _word(match["word"])
            if word is None:
                return None
            found.append(word)
    while found and found[-1].operator and found[-1].text in ("\n", ";"):
        found.pop()
    return found


def pieces(script: str) -> list[str | Heredoc]:
    """The commands of a script in order; one piece where they share variables or a folder."""
    found: list[str | Heredoc] = []
    outside = _HEREDOC.sub("", script)
    if _CONTROL.search(_COMMENT_LINE.sub("", outside)):
        return [script.strip()]
    at = 0
    for match in _HEREDOC.finditer(script):
        found += _segments(script[at : match.start()])
        *before, last = _segments(match["command"]) or [""]
        found += before
        command = f"{last} {match['rest'].strip()}".strip()
        found.append(Heredoc(command, (match["body"] or "").rstrip("\n") + "\n"))
        at = match.end()
    return [*found, *_segments(script[at:])]


def _segments(script: str) -> list[str]:
    script = _COMMENT_LINE.sub("", script).strip()
    found: list[str] = []
    start = at = 0
    goes_on = False
    while at < len(script):
        match = _TOKEN.match(script, at)
        if match is None or match["operator"] in ("(", ")", "||", "&", ";;"):
            return [script]
        if match["operator"] in _ENDS and not (goes_on and match["operator"] == "\n"):
            found.append(script[start:at])
            start = match.end()
        if not match["space"] and match["operator"] != "\n":
            goes_on = match["operator"] in _GOES_ON
        at = match.end()
    found.append(script[start:])
    return [piece.strip() for piece in found if piece.strip()]


def programs(script: str) -> list[str]:
    """The program of every command in a script, without the folder it lies in."""
    return [word.rsplit("/", 1)[-1] for word in program_words(script)]


def program_words(script: str) -> list[str]:
    """The first word of every command in a script, as it is written."""
    names: list[str] = []
    first = True
    for token in tokens_of(script) or []:
        if token.operator:
            first = token.text not in REDIRECTS and token.text != "<"
            continue
        if first and "=" not in token.text:
            names.append(token.text)
            first = False
    return names


def script_places(tokens: Sequence[Token]) -> frozenset[int]:
    """Where a file is named that an interpreter is to run: it is what is done, and no data."""
    found: set[int] = set()
    command, first = "", True
    for at, token in enumerate(tokens):
        if token.operator:
            command, first = "", token.text not in REDIRECTS and token.text != "<"
        elif first:
            command, first = token.text.rsplit("/", 1)[-1], "=" in token.text
        elif command in INTERPRETERS:
            if not token.text.startswith("-"):
                found.add(at)
            command = ""
    return frozenset(found)


def targets(script: str) -> list[str]:
    """The files that redirections write, in order."""
    tokens = tokens_of(script) or []
    return [
        word.text
        for sign, word in pairwise(tokens)
        if sign.operator
        and sign.text in REDIRECTS
        and not word.operator
        and not word.text.startswith("/dev/")
    ]


def _word(raw: str) -> Token | None:
    expands = bool(re.search(r"(?:^|[^\\'])[$`*?]|~", re.sub(r"'[^']*'", "", raw)))
    if expands:
        return Token(raw, expands=True, raw=raw)
    try:
        parts = shlex.split(raw)
    except ValueError:
        return None
    return Token(parts[0] if parts else "", raw=raw)
