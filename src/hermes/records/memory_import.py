"""MemoryImport: what became of the lines of a file of memories."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryImport:
    """`waiting` are among the `kept`; `told` is, by line, why the first hundred were not taken."""

    kept: int
    waiting: int
    known: int
    refused: int
    broken: int
    told: tuple[str, ...]
