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
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "sql"

_HEADER = re.compile(r"^-- (name|columns): (\w+)$", re.MULTILINE)
_LIST = re.compile(r"\{(:?)(\w+)\}")
_PARAMETER = re.compile(r"(?<![:\w]):(\w+)")


class Block(NamedTuple):
    """One statement or list of columns, as written; `why` is its comment."""

    kind: str
    name: str
    why: str
    text: str


@cache
def load_queries(dialect: str) -> Mapping[str, str]:
    """Every statement of this dialect by name, ready for its driver."""
    blocks: dict[str, Block] = {}
    for folder in (FOLDER, FOLDER / dialect):
        for path in sorted(folder.glob("*.sql")):
            blocks.update({block.name: block for block in read_blocks(path)})
    lists = {block.name: block.text for block in blocks.values() if block.kind == "columns"}
    statements = {
        block.name: expand(block.text, lists) for block in blocks.values() if block.kind == "name"
    }
    return {name: for_driver(text, dialect) for name, text in statements.items()}


def for_driver(statement: str, dialect: str) -> str:
    """`:name` as the driver wants it written."""
    return _PARAMETER.sub(r"%(\1)s", statement) if dialect == "postgres" else statement


def read_blocks(path: Path) -> Iterator[Block]:
    """The blocks of one file; a line before the first header is an error, never lost."""
    pieces = _HEADER.split(path.read_text(encoding="utf-8"))
    if pieces[0].strip():
        raise ValueError(f"{path}: text before the first `-- name:` line")
    for kind, name, body in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        lines = body.strip().splitlines()
        comments = [line for line in lines if line.startswith("--")]
        code = [line for line in lines if not line.startswith("--")]
        why = " ".join(line.removeprefix("--").strip() for line in comments)
        yield Block(kind, name, why, "\n".join(code).strip().removesuffix(";"))


def expand(text: str, lists: Mapping[str, str]) -> str:
    """Put the columns in the place of every `{list}` and `{:list}`."""

    def columns(match: re.Match[str]) -> str:
        names = [name.strip() for name in lists[match[2]].split(",")]
        return ", ".join(match[1] + name for name in names)

    return _LIST.sub(columns, text)
