"""`skills show`: one skill as it is live now."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli import picking
from hermes.cli.arguments import name_argument
from hermes.cli.command import Call, Command
from hermes.errors import NotFound

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.library.reader import LiveSkill
    from hermes.records.skill import Skill


def show(call: Call) -> None:
    """The bytes come from the store by their hash, so what is shown is what is live."""
    with open_home(call.settings) as home:
        skill = picking.skill_to_read(call, home, call.args.name)
        live = home.reader.live(skill.name)
        path = call.args.file or _skill_file(live)
        text, size = _content(home, live, path)
        fields = _fields(home, live)
    if call.json:
        call.out.json({**fields, "file": path, "content": text, "size": size})
        return
    if not call.args.file:
        told = {name: value for name, value in fields.items() if name != "problem"}
        call.out.fields((name.replace("_", " "), value) for name, value in told.items())
        call.out.line()
    if text is None:
        call.out.line(f"{path} is not text; it has {size:,} bytes")
    else:
        call.out.block(text)
    if live.problem:
        call.out.note(f"problem: {live.problem}")


def marks(skill: Skill) -> list[str]:
    """What a reader must know before relying on it."""
    named = {"pinned": skill.pinned, "disabled": skill.disabled, "unproven": not skill.proven}
    return [name for name, is_so in named.items() if is_so]


def _fields(home: Home, live: LiveSkill) -> dict[str, object]:
    skill, version = live.skill, live.version
    release = home.ledger.releases.current(skill.id)
    return {
        "name": skill.name,
        "description": skill.description,
        "version": version.number,
        "state": str(skill.state),
        "marks": marks(skill),
        "origin": str(skill.origin),
        "author": version.author,
        "approved_by": release.approval.by if release else None,
        "live_since": release.released_at if release else None,
        "category": skill.category,
        "tags": skill.tags,
        "folder": str(home.settings.paths.skills_dir / skill.location),
        "files": [file.path for file in version.files],
        "problem": live.problem,
    }


def _skill_file(live: LiveSkill) -> str:
    from hermes.records.folder import SKILL_FILE
    from hermes.rules.folder_rules import skill_file

    return skill_file(file.path for file in live.version.files) or SKILL_FILE


def _content(home: Home, live: LiveSkill, path: str) -> tuple[str | None, int]:
    """The text of a file, None for one that is not text, and its size."""
    for file in live.version.files:
        if file.path == path:
            data = home.ledger.versions.content(file.content)
            try:
                return data.decode("utf-8-sig"), file.size
            except UnicodeDecodeError:
                return None, file.size
    names = ", ".join(file.path for file in live.version.files[:20])
    raise NotFound(f"skill '{live.skill.name}' has no file '{path}'", hint=f"it has {names}")


def _arguments(parser: ArgumentParser) -> None:
    name_argument(parser)
    parser.add_argument("--file", metavar="PATH", help="a file of it, instead of SKILL.md")


COMMANDS = {
    "show": Command(
        run=show,
        arguments=_arguments,
        json=True,
        summary="one skill: what it says, and what is known of it",
        example="hermes skills show tidy-csv --file scripts/tidy.py",
    ),
}
