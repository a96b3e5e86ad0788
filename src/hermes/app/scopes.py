"""Whose memories are meant: yours, those of the project you are in, those of your team."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hermes.errors import WrongCall
from hermes.records.scope import PERSONAL, Scope

if TYPE_CHECKING:
    from hermes.settings import Settings

_EXPECTED = "user, project, team, project:NAME or team:NAME"


def scope_named(settings: Settings, name: str, folder: Path) -> str:
    """The scope that a person means by `user`, `project` or `team`, or names in full."""
    if name in ("user", PERSONAL):
        return PERSONAL
    if name == "project":
        return _project(folder)
    if name == "team":
        if settings.memory.team is None:
            hint = "--scope team:NAME, or once for all: hermes config set memory.team NAME"
            raise WrongCall("nobody has said which team is yours", hint=hint)
        return f"team:{settings.memory.team}"
    try:
        return str(Scope.parse(name))
    except ValueError as error:
        raise WrongCall(f"{name!r} is no scope", hint=_EXPECTED) from error


def scopes_here(settings: Settings, folder: Path) -> tuple[str, ...]:
    """What somebody who works in a folder may see; the most personal first."""
    team = (f"team:{settings.memory.team}",) if settings.memory.team else ()
    return (PERSONAL, _project(folder), *team)


def _project(folder: Path) -> str:
    """A project is called like the folder of its repository, or else like the folder itself."""
    for place in (folder, *folder.parents):
        if (place / ".git").exists():
            folder = place
            break
    return f"project:{folder.name or 'root'}"
