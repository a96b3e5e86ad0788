"""`skills show`: one skill as it is live now."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.app.granting import granted_hosts
from hermes.cli import picking
from hermes.cli.arguments import name_argument
from hermes.cli.command import Call, Command
from hermes.errors import NotFound

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.records.skill import Skill
    from hermes.records.version import Version


def show(call: Call) -> None:
    """The bytes come from the store by their hash, so what is shown is what is live."""
    with open_home(call.settings) as home:
        live = home.reader.live(picking.skill_to_read(call, home, call.args.name).name)
        path = call.args.file or _skill_file(live.version)
        text, size = _content(home, live.skill, live.version, path)
        fields = _fields(home, live.skill, live.version)
    if call.json:
        shown = {"problem": live.problem, "file": path, "content": text, "size": size}
        call.out.json({**fields, **shown})
        return
    if not call.args.file:
        call.out.fields((name.replace("_", " "), value) for name, value in fields.items())
        call.out.line()
    if text is None:
        call.out.line(f"{path} is not text; it has {size:,} bytes")
    else:
        call.out.block(text)
    if live.problem:
        call.out.note(f"problem: {live.problem}")


def marks(skill: Skill) -> list[str]:
    """What a reader must know before relying on it."""
    named = {
        "pinned": skill.pinned,
        "disabled": skill.disabled,
        "unproven": not skill.proven,
        "needs a rewrite": skill.needs_rewrite,
    }
    return [name for name, is_so in named.items() if is_so]


def _fields(home: Home, skill: Skill, version: Version) -> dict[str, object]:
    release = home.ledger.releases.current(skill.id)
    return {
        "name": skill.name,
        "description": skill.description,
        "version": version.number,
        "state": str(skill.state),
        "marks": marks(skill),
        "health": _health(home, skill),
        "network": granted_hosts(home, skill),
        "origin": str(skill.origin),
        "author": version.author,
        "approved_by": release.approval.by if release else None,
        "live_since": release.released_at if release else None,
        "category": skill.category,
        "tags": skill.tags,
        "folder": str(home.settings.paths.skills_dir / skill.location),
        "files": [file.path for file in version.files],
    }


def _health(home: Home, skill: Skill) -> str | None:
    """What the last check of the live version found, and why; None where there was none."""
    checks = home.health_checks.of_skill(skill.id)
    if not checks or checks[-1].version_id != skill.active_version_id:
        return None
    last = checks[-1]
    return f"{last.status}: {last.error}" if last.error else str(last.status)


def _skill_file(version: Version) -> str:
    from hermes.records.folder import SKILL_FILE
    from hermes.rules.folder_rules import skill_file

    return skill_file(file.path for file in version.files) or SKILL_FILE


def _content(home: Home, skill: Skill, version: Version, path: str) -> tuple[str | None, int]:
    """The text of a file, None for one that is not text, and its size."""
    for file in version.files:
        if file.path == path:
            data = home.ledger.versions.content(file.content)
            try:
                return data.decode("utf-8-sig"), file.size
            except UnicodeDecodeError:
                return None, file.size
    names = ", ".join(file.path for file in version.files[:20])
    raise NotFound(f"skill '{skill.name}' has no file '{path}'", hint=f"it has {names}")


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
