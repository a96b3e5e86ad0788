"""What the commands of memory share: whose memories, which kind, and how one is told."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app.scopes import scope_named, scopes_here

if TYPE_CHECKING:
    from datetime import datetime

    from hermes.cli.command import Call
    from hermes.records.memory import Memory, MemoryKind

KINDS = ("episodic", "semantic", "declarative")
_SCOPE = "user, project (the one you are in), team, or project:NAME, team:NAME"


def kind_option(parser: ArgumentParser, what: str) -> None:
    parser.add_argument("--kind", choices=KINDS, help=what)


def scope_option(parser: ArgumentParser, what: str) -> None:
    parser.add_argument("--scope", metavar="SCOPE", help=f"{what}: {_SCOPE}")


def kind_of(call: Call) -> MemoryKind | None:
    from hermes.records.memory import MemoryKind

    return MemoryKind(call.args.kind) if call.args.kind else None


def scopes_of(call: Call) -> tuple[str, ...]:
    """The scope that was named, else all that somebody in this folder may see."""
    if call.args.scope:
        return (scope_named(call.settings, call.args.scope, Path.cwd()),)
    return scopes_here(call.settings, Path.cwd())


def one_line(memory: Memory) -> str:
    return " ".join(memory.text.split())


def age(since: datetime, at: datetime) -> str:
    """As people say it: 5 min, 3 h, 12 d."""
    minutes = max((at - since).total_seconds(), 0.0) / 60
    if minutes < 60:
        return f"{minutes:.0f} min"
    return f"{minutes / 60:.0f} h" if minutes < 48 * 60 else f"{minutes / 1440:.0f} d"


def state(memory: Memory, at: datetime) -> str:
    """Whether it is recalled, and if not, why."""
    if memory.superseded_by is not None:
        return "superseded"
    if memory.waiting:
        return "waits"
    if memory.expires_at is not None and memory.expires_at <= at:
        return "expired"
    return "live"
