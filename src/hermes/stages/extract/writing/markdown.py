"""Pieces of Markdown in which no text can become markup it was not meant to be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell(one) for one in line) + " |" for line in lines)


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def bullets(items: Iterable[str]) -> str:
    return "\n".join(f"- {' '.join(item.split())}" for item in items)


def fenced(code: str, language: str) -> str:
    """A block whose fence is longer than any that the code itself holds."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"


def code(text: str) -> str:
    """One line of code inside a sentence."""
    line = " ".join(text.split())
    return f"`` {line} ``" if "`" in line else f"`{line}`"
