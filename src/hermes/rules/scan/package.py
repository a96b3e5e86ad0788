"""START HERE: the files of a package → its effects → findings and a verdict."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from hermes.rules.scan.dependencies import command_dependencies, file_dependencies
from hermes.rules.scan.effects import Effect, Kind, Piece, Surface
from hermes.rules.scan.encoded import hidden_texts
from hermes.rules.scan.finding import Finding, ScanReport
from hermes.rules.scan.invisible import as_read, invisible_effects, lookalike_effects
from hermes.rules.scan.judge import Purpose, judge
from hermes.rules.scan.lexical import lexical_effects
from hermes.rules.scan.manifest import (
    front_effects,
    front_fields,
    front_pieces,
    settings_effects,
    split_front,
)
from hermes.rules.scan.markdown import pieces_of, sentences
from hermes.rules.scan.prose import prose_effects
from hermes.rules.scan.python_code import python_effects
from hermes.rules.scan.shell import shell_effects

MAX_TEXT = 400_000
"""Characters of one file that are read; what is longer is no instruction and is told as cut."""

_LEGAL = re.compile(
    r"(?i)(?:^|/)(?:licen[cs]e|copying|notice|copyright|authors)[\w-]*(?:\.(?:md|txt|rst))?$"
)


_SHELL = frozenset(
    "sh bash zsh shell console shell-session terminal ksh fish dockerfile makefile text txt".split()
)
_PYTHON = frozenset("python py python3 pycon".split())
_PROSE_FILES = (".md", ".markdown", ".mdx", ".txt", ".rst", ".html", ".htm", "")
_SCRIPT_LANGUAGES = {
    ".sh": "shell", ".bash": "shell", ".zsh": "shell", ".command": "shell", ".fish": "shell",
    ".py": "python", ".pyw": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript",
    ".ts": "javascript", ".tsx": "javascript", ".jsx": "javascript", ".rb": "ruby", ".pl": "perl",
    ".php": "php", ".ps1": "powershell", ".psm1": "powershell", ".bat": "batch", ".cmd": "batch",
    ".go": "go", ".rs": "rust", ".java": "java", ".lua": "lua", ".applescript": "applescript", ".scpt": "applescript",
    ".swift": "swift", ".c": "c", ".cs": "csharp", ".vbs": "vbs", ".r": "r", ".kt": "kotlin",
}  # fmt: skip


def scan_package(files: Mapping[str, bytes], extra: Iterable[Finding] = ()) -> ScanReport:
    """Everything found in the files of one skill; `extra` are findings of other tools."""
    effects: list[Effect] = []
    purpose = Purpose()
    for path in sorted(files, key=lambda name: (not name.lower().endswith("skill.md"), name)):
        text = _text(files[path])
        if text is None:
            continue
        if path.lower().rsplit("/", 1)[-1] == "skill.md" and not purpose.name:
            purpose = _purpose(text)
        if not _LEGAL.search(path):
            effects += file_effects(path, text)
    return judge(effects, purpose, extra)


def _text(data: bytes) -> str | None:
    """The text of a file; None for data no reader and no interpreter takes for text."""
    if b"\0" in data[:4096]:
        return None
    return data[: MAX_TEXT * 4].decode("utf-8", "replace")[:MAX_TEXT]


def _purpose(text: str) -> Purpose:
    fields = front_fields(split_front(text)[0])
    name, description = fields.get("name", (0, ""))[1], fields.get("description", (0, ""))[1]
    return Purpose(name, description)


def file_effects(path: str, text: str) -> Iterator[Effect]:
    """The effects of one file, whatever it is."""
    kind = _nature(path, text)
    for effect, hidden in invisible_effects(path, text, code=kind != "prose"):
        yield effect
        if hidden is not None:
            yield from _prose_and_commands([hidden])
    yield from lookalike_effects(path, text)
    if kind == "prose":
        yield from _page_effects(path, text)
        return
    whole = as_read(Piece(path, 1, text, Surface.SCRIPT, kind))
    if kind == "json":
        yield from file_dependencies(whole)
        yield from settings_effects(replace(whole, surface=Surface.SNIPPET))
    elif kind != "data":
        found = list(code_effects(whole))
        yield from found
        yield from _comments(whole)
        if any(effect.kind in (Kind.AGENT_WRITE, Kind.STARTUP) for effect in found):
            yield from _written_text(whole)
    yield from file_dependencies(whole) if kind == "data" else ()
    yield from _decoded(whole)


def _nature(path: str, text: str) -> str:
    """`prose`, `json`, `data`, or the language of a script."""
    name = path.rsplit("/", 1)[-1].lower()
    suffix = "." + name.rsplit(".", 1)[-1] if "." in name else ""
    if suffix in _SCRIPT_LANGUAGES:
        return _SCRIPT_LANGUAGES[suffix]
    shebang = re.match(r"#!.*?\b(python|node|ruby|perl|php|bash|zsh|sh|osascript)", text)
    if shebang:
        return {"bash": "shell", "zsh": "shell", "sh": "shell", "node": "javascript"}.get(
            shebang[1], shebang[1]
        )
    if name in ("dockerfile", "makefile") or suffix == ".mk":
        return "shell"
    if suffix == ".json":
        return "json"
    if re.fullmatch(r"(?:requirements|constraints)[\w.-]*\.(?:txt|in)", name):
        return "data"
    if suffix in (
        ".yaml",
        ".yml",
        ".toml",
        ".ini",
        ".cfg",
        ".plist",
        ".service",
        ".xml",
        ".csv",
        ".svg",
    ):
        return "config" if suffix not in (".csv", ".svg") else "data"
    return "prose" if suffix in _PROSE_FILES else "data"


def _page_effects(path: str, text: str) -> Iterator[Effect]:
    front, body, line = split_front(text)
    fields = front_fields(front)
    yield from front_effects(path, fields)
    front_sentences = [as_read(piece) for piece in front_pieces(path, fields)]
    pieces = [as_read(piece) for piece in pieces_of(path, body, line)]
    yield from _prose_and_commands([*front_sentences, *pieces])


def _prose_and_commands(pieces: list[Piece]) -> Iterator[Effect]:
    spoken = [piece for piece in pieces if piece.surface is not Surface.SNIPPET]
    yield from prose_effects(spoken)
    for piece in spoken:
        yield from _decoded(piece)
        if piece.surface in (Surface.HIDDEN, Surface.DECODED):
            yield from code_effects(replace(piece, language="shell"))
    for piece in pieces:
        if piece.surface is Surface.SNIPPET:
            yield from code_effects(piece)
            yield from _decoded(piece)
            yield from _comments(piece)


def code_effects(piece: Piece) -> Iterator[Effect]:
    """The effects of code in whatever language it is."""
    language = piece.language
    if language in _PYTHON:
        yield from python_effects(piece)
    elif language in _SHELL:
        yield from shell_effects(piece)
        yield from _embedded(piece)
    elif language == "json":
        yield from settings_effects(piece)
    elif language == "config":
        yield from shell_effects(
            replace(piece, text=re.sub(r"(?m)^\s*-?\s*[\w.-]+\s*[:=]\s*", "", piece.text))
        )
    elif language in ("markdown", "md"):
        yield from prose_effects(
            list(sentences(replace(piece, surface=Surface.PROSE, warned=True)))
        )
    else:
        yield from lexical_effects(piece)
        if language in ("powershell", "batch", "", "ruby", "perl", "applescript"):
            yield from shell_effects(piece)
    yield from command_dependencies(piece)


def _embedded(piece: Piece) -> Iterator[Effect]:
    """Python or JavaScript inside shell: `python -c '…'` and here-documents."""
    for match in re.finditer(
        r"python3?\s+(?:-c\s+([\"'])(.+?)\1|-?\s*<<-?\s*[\"']?(\w+)[\"']?\n(.*?)\n\3)",
        piece.text,
        re.DOTALL,
    ):
        code = match[2] or match[4]
        yield from python_effects(
            piece.part(code, piece.text.count("\n", 0, match.start()), piece.surface, "python")
        )
    for match in re.finditer(r"node\s+-e\s+([\"'])(.+?)\1", piece.text, re.DOTALL):
        yield from lexical_effects(
            piece.part(match[2], piece.text.count("\n", 0, match.start()), piece.surface)
        )


def _comments(piece: Piece) -> Iterator[Effect]:
    """Comments are read by the agent too; what they tell it counts like prose."""
    for match in list(re.finditer(r"(?m)(?:^[ \t]*(?:#|//|\*)+[ \t]?(?!!).{8,}\n?)+", piece.text))[
        :200
    ]:
        said = re.sub(r"(?m)^[ \t]*(?:#|//|\*)+[ \t]?", "", match[0])
        offset = piece.text.count("\n", 0, match.start())
        yield from prose_effects(list(sentences(piece.part(said, offset, Surface.PROSE))))


_STRING = re.compile(r"(\"\"\"|\'\'\'|[\"\'`])((?:(?!\1).){40,}?)\1", re.DOTALL)


def _written_text(piece: Piece) -> Iterator[Effect]:
    """Where a script writes what an agent obeys, its long strings are instructions."""
    for match in list(_STRING.finditer(piece.text))[:100]:
        offset = piece.text.count("\n", 0, match.start())
        yield from prose_effects(list(sentences(piece.part(match[2], offset, Surface.SCRIPT))))


def _decoded(piece: Piece) -> Iterator[Effect]:
    """What is encoded in a text counts as hidden, and is read in every way it could be used."""
    for hidden in hidden_texts(piece):
        yield from shell_effects(hidden)
        yield from prose_effects(list(sentences(hidden)))
        if re.search(r"\bimport\s|\bexec\(|require\(|\bfunction\b", hidden.text):
            yield from python_effects(hidden)
