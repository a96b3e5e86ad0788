"""Named SQL out of .sql files.

A file is a row of blocks. A block opens with `-- name: insert_skill`, says in a comment what it
is for, and is one statement. A block that opens with `-- columns: skill_columns` is a list of
columns; `{skill_columns}` in a statement stands for it, `{:skill_columns}` for the same names as
parameters, so that a record's columns are written down once.

Shared files lie in `sql/`, and a dialect's own in `sql/<dialect>/`: a block there takes the place
of the shared one of its name. Why our own loader: docs/decisions/0002-own-sql-loader.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "sql"

_HEADER = re.compile(r"^-- (name|columns): (\w+)$", re.MULTILINE)
_LIST = re.compile(r"\{(:?)(\w+)\}")
_PARAMETER = re.compile(r"(?<![:\w]):(\w+)")


class Block(NamedTuple):
    """One statement or list of columns as it is written, with its comment."""

    kind: str
    name: str
    body: str

    @property
    def why(self) -> str:
        comments = [line for line in self.body.splitlines() if line.startswith("--")]
        return " ".join(line.removeprefix("--").strip() for line in comments)

    @property
    def text(self) -> str:
        code = [line for line in self.body.splitlines() if not line.startswith("--")]
        return "\n".join(code).strip().removesuffix(";")


class Queries:
    """The statements of one dialect by name; each is made ready when it is first asked for.

    A short command uses five of a hundred, and should not pay for the others.
    """

    def __init__(self, dialect: str) -> None:
        self._dialect = dialect
        self._blocks: dict[str, Block] = {}
        self._ready: dict[str, str] = {}
        for folder in (FOLDER, FOLDER / dialect):
            for path in sorted(folder.glob("*.sql")):
                self._blocks.update({block.name: block for block in read_blocks(path)})

    def __getitem__(self, name: str) -> str:
        ready = self._ready.get(name)
        if ready is None:
            ready = for_driver(expand(self._blocks[name].text, self._lists()), self._dialect)
            self._ready[name] = ready
        return ready

    def names(self) -> list[str]:
        return [block.name for block in self._blocks.values() if block.kind == "name"]

    def _lists(self) -> dict[str, Block]:
        return {name: block for name, block in self._blocks.items() if block.kind == "columns"}


@cache
def load_queries(dialect: str) -> Queries:
    """Read once in a process, however many databases it opens."""
    return Queries(dialect)


def read_blocks(path: Path) -> Iterator[Block]:
    """The blocks of one file; a line before the first header is an error, never lost."""
    pieces = _HEADER.split(path.read_text(encoding="utf-8"))
    if pieces[0].strip():
        raise ValueError(f"{path}: text before the first `-- name:` line")
    for kind, name, body in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        yield Block(kind, name, body)


def expand(text: str, lists: Mapping[str, Block]) -> str:
    """Put the columns in the place of every `{list}` and `{:list}`."""

    def columns(match: re.Match[str]) -> str:
        names = [name.strip() for name in lists[match[2]].text.split(",")]
        return ", ".join(match[1] + name for name in names)

    return _LIST.sub(columns, text)


@lru_cache(maxsize=512)
def for_driver(statement: str, dialect: str) -> str:
    """`:name` as the driver wants it written."""
    return _PARAMETER.sub(r"%(\1)s", statement) if dialect == "postgres" else statement
