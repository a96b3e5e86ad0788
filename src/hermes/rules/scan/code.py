"""Code of any language → effects, its comments and the texts it writes included."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from hermes.rules.scan import phrases
from hermes.rules.scan.dependencies import command_dependencies
from hermes.rules.scan.effects import Effect, Piece, Surface
from hermes.rules.scan.lexical import lexical_effects
from hermes.rules.scan.markdown import sentences
from hermes.rules.scan.natures import CONFIG, JSON, PYTHON_NAMES, SHELL_NAMES
from hermes.rules.scan.prose import prose_effects
from hermes.rules.scan.python_code import python_effects
from hermes.rules.scan.settings_files import settings_commands, settings_effects
from hermes.rules.scan.shell import shell_effects

_ALSO_SHELL = frozenset(["powershell", "batch", "", "ruby", "perl", "applescript"])
_PYTHON_INSIDE = re.compile(
    r"python3?\s+(?:-c\s+([\"'])(.+?)\1|-?\s*<<-?\s*[\"']?(\w+)[\"']?\n(.*?)\n\3)", re.DOTALL
)
_NODE_INSIDE = re.compile(r"node\s+-e\s+([\"'])(.+?)\1", re.DOTALL)
_KEY = re.compile(r"(?m)^\s*-?\s*[\w.-]+\s*[:=]\s*")
_COMMENTS = re.compile(r"(?m)(?:^[ \t]*(?:#|//|\*)+[ \t]?(?!!).{8,}\n?)+")
_COMMENT_MARK = re.compile(r"(?m)^[ \t]*(?:#|//|\*)+[ \t]?")
_STRING = re.compile(r"(\"\"\"|\'\'\'|[\"\'`])((?:(?!\1).){10,}?)\1", re.DOTALL)
_MOST = 200  # comments or strings of one file that are read


def code_effects(piece: Piece) -> Iterator[Effect]:
    """The effects of code in whatever language it is."""
    language = piece.language
    if language in PYTHON_NAMES:
        yield from python_effects(piece)
    elif language in SHELL_NAMES:
        yield from shell_effects(piece)
        yield from _embedded(piece)
    elif language == JSON:
        yield from settings_effects(piece)
        for command in settings_commands(piece):
            yield from code_effects(command)
    elif language == CONFIG:
        yield from shell_effects(replace(piece, text=_KEY.sub("", piece.text)))
    elif language in ("markdown", "md"):
        shown = replace(piece, surface=Surface.PROSE, warned=True)
        yield from prose_effects(list(sentences(shown)))
    else:
        yield from lexical_effects(piece)
        if language in _ALSO_SHELL:
            yield from shell_effects(piece)
    yield from command_dependencies(piece)


def _embedded(piece: Piece) -> Iterator[Effect]:
    """Python or JavaScript inside shell: `python -c '…'` and here-documents."""
    for match in _PYTHON_INSIDE.finditer(piece.text):
        inner = piece.part(match[2] or match[4], _line(piece, match), piece.surface, "python")
        yield from python_effects(inner)
    for match in _NODE_INSIDE.finditer(piece.text):
        yield from lexical_effects(piece.part(match[2], _line(piece, match), piece.surface))


def comment_effects(piece: Piece) -> Iterator[Effect]:
    """Comments are read by the agent too; one that speaks to it hides from people."""
    for match in list(_COMMENTS.finditer(piece.text))[:_MOST]:
        said = _COMMENT_MARK.sub("", match[0])
        aimed = phrases.ADDRESSING.search(said)
        part = piece.part(said, _line(piece, match), Surface.HIDDEN if aimed else Surface.PROSE)
        yield from prose_effects(list(sentences(part)))
        if aimed:
            yield from shell_effects(part)


def written_text_effects(piece: Piece) -> Iterator[Effect]:
    """Where a script writes what an agent obeys or a machine starts, its strings are orders."""
    for match in list(_STRING.finditer(piece.text))[:_MOST]:
        part = piece.part(match[2], _line(piece, match), Surface.SCRIPT)
        yield from shell_effects(part)
        if len(part.text) > 40:
            yield from prose_effects(list(sentences(part)))


def _line(piece: Piece, match: re.Match[str]) -> int:
    return piece.text.count("\n", 0, match.start())
