"""START HERE: the files of a package → its effects → findings and a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from hermes.rules.scan.code import code_effects, comment_effects, written_text_effects
from hermes.rules.scan.dependencies import file_dependencies
from hermes.rules.scan.effects import Effect, Kind, Piece, Surface
from hermes.rules.scan.encoded import hidden_texts
from hermes.rules.scan.finding import Finding, ScanReport
from hermes.rules.scan.invisible import invisible_effects, lookalike_effects, plain_letters
from hermes.rules.scan.judge import judge
from hermes.rules.scan.manifest import front_effects, front_fields, front_pieces, split_front
from hermes.rules.scan.markdown import pieces_of, sentences
from hermes.rules.scan.natures import DATA, PROSE, nature_of
from hermes.rules.scan.prose import prose_effects
from hermes.rules.scan.purpose import Purpose
from hermes.rules.scan.shell import shell_effects

MAX_TEXT = 400_000
"""Characters of one file that are read; the stage tells a reader that the rest was not."""
SKILL_FILE = "skill.md"


def scan_package(files: Mapping[str, bytes], extra: Iterable[Finding] = ()) -> ScanReport:
    """Everything found in the files of one skill; `extra` are findings of other tools."""
    effects: list[Effect] = []
    purpose = Purpose()
    for path in sorted(files, key=lambda name: (not name.lower().endswith(SKILL_FILE), name)):
        text = readable(files[path])
        if text is None:
            continue
        if path.lower().rsplit("/", 1)[-1] == SKILL_FILE and not purpose.name:
            purpose = _purpose(text)
        effects += file_effects(path, text)
    return judge(effects, purpose, extra)


def readable(data: bytes) -> str | None:
    """The text of a file; None for data no reader and no interpreter takes for text."""
    if b"\0" in data[:4096]:
        return None
    return data[: MAX_TEXT * 4].decode("utf-8", "replace")[:MAX_TEXT]


def _purpose(text: str) -> Purpose:
    fields = front_fields(split_front(text)[0])
    return Purpose(fields.get("name", (0, ""))[1], fields.get("description", (0, ""))[1])


def file_effects(path: str, text: str) -> Iterator[Effect]:
    """The effects of one file, whatever it is."""
    nature = nature_of(path, text)
    for effect, hidden in invisible_effects(path, text, code=nature != PROSE):
        yield effect
        if hidden is not None:
            yield from _page_effects([hidden])
    yield from lookalike_effects(path, text)
    text = plain_letters(text)
    whole = Piece(path, 1, text, Surface.SCRIPT, nature)
    if nature == PROSE:
        yield from _page_effects(list(_page_pieces(path, text)))
        front = front_fields(split_front(text)[0])
        yield from front_effects(path, front)
    elif nature != DATA:
        yield from _script_effects(whole)
    yield from file_dependencies(whole)
    yield from _decoded_effects(whole)


def _page_pieces(path: str, text: str) -> Iterator[Piece]:
    front, body, line = split_front(text)
    yield from front_pieces(path, front_fields(front))
    yield from pieces_of(path, body, line)


def _page_effects(pieces: list[Piece]) -> Iterator[Effect]:
    spoken = [piece for piece in pieces if piece.surface is not Surface.SNIPPET]
    yield from prose_effects(spoken)
    for piece in pieces:
        if piece.surface is Surface.SNIPPET:
            yield from code_effects(piece)
            yield from comment_effects(piece)
        elif piece.surface is Surface.HIDDEN:
            yield from code_effects(replace(piece, language="shell"))


def _script_effects(script: Piece) -> Iterator[Effect]:
    found = list(code_effects(script))
    yield from found
    yield from comment_effects(script)
    if any(effect.kind in (Kind.AGENT_WRITE, Kind.STARTUP) for effect in found):
        yield from written_text_effects(script)


def _decoded_effects(piece: Piece) -> Iterator[Effect]:
    """What is encoded in a file counts as hidden, and is read in every way it could be used."""
    for hidden in hidden_texts(piece):
        yield from shell_effects(hidden)
        yield from prose_effects(list(sentences(hidden)))
        yield from code_effects(replace(hidden, language="python"))
