"""Reading: what a skill's folder says of itself, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

from hermes.records.procedure import Procedure


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """`errors` keep a folder from going live, `warnings` do not. Each names file and line."""

    description: str
    tags: tuple[str, ...] = ()
    procedure: Procedure | None = None
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
