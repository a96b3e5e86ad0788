"""`skills history` and `skills diff`: what a skill was, and what changed."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli import picking
from hermes.cli.arguments import name_argument, version_number
from hermes.cli.command import Call, Command
from hermes.cli.exits import UsageError
from hermes.errors import NotFound, Refused

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.records.skill import Skill
    from hermes.records.version import Version

_COLUMNS = ("version", "state", "at", "what", "author", "approved_by")


def history(call: Call) -> None:
    with open_home(call.settings) as home:
        skill = picking.skill_to_read(call, home, call.args.name)
        versions = [_told(home, version) for version in home.ledger.versions.of_skill(skill.id)]
        acts = home.ledger.changes.of_skill(skill.id)
    if call.json:
        call.out.json({"name": skill.name, "versions": versions, "acts": acts})
        return
    call.out.table(
        ("VERSION", "STATE", "WHEN", "WHAT", "BY", "APPROVED BY"),
        ([told[column] for column in _COLUMNS] for told in versions),
        empty=f"skill '{skill.name}' has no versions",
    )
    if acts:
        call.out.line()
        call.out.table(
            ("ACT", "WHEN", "BY", "REASON"),
            ((str(act.act), act.at, act.approval.by, act.reason) for act in acts),
            empty="",
        )


def _told(home: Home, version: Version) -> dict[str, object]:
    candidate = home.ledger.candidates.of_version(version.id)
    releases = home.ledger.releases.of_skill(version.skill_id)
    allowed = [one.approval.by for one in releases if one.version_id == version.id]
    return {
        "version": version.number,
        "state": str(version.state),
        "at": version.created_at,
        "what": candidate.summary if candidate else None,
        "author": version.author,
        "origin": str(version.origin),
        "approved_by": allowed[-1] if allowed else None,
        "candidate": candidate.id if candidate else None,
        "tree": version.tree,
    }


def diff(call: Call) -> None:
    from hermes.rules.diffing import unified

    with open_home(call.settings) as home:
        skill = picking.skill_to_read(call, home, call.args.name)
        old, new = _sides(call, home, skill)
        folders = home.ledger.versions.folder
        text = unified(
            folders(old) if old else None,
            folders(new),
            (f"v{old.number}" if old else "nothing", f"v{new.number}"),
        )
    if call.json:
        numbers = {"old": old.number if old else None, "new": new.number}
        call.out.json({"name": skill.name, **numbers, "diff": text})
    elif text:
        call.out.diff(text)
    else:
        call.out.line("no difference")


def _sides(call: Call, home: Home, skill: Skill) -> tuple[Version | None, Version]:
    numbers = call.args.versions
    if call.args.candidate:
        if numbers:
            raise UsageError("give two versions, or --candidate, not both")
        return _candidate_sides(home, skill, call.args.candidate)
    if numbers:
        if len(numbers) != 2:
            raise UsageError("give two versions, or none", hint=f"skills diff {skill.name} 1 2")
        return _numbered(home, skill, numbers[0]), _numbered(home, skill, numbers[1])
    live = home.ledger.active(skill)
    if live is None:
        raise Refused(
            f"skill '{skill.name}' is not live", hint="name two versions, or pass --candidate ID"
        )
    return _before(home, skill, live), live


def _before(home: Home, skill: Skill, live: Version) -> Version | None:
    """What was live before; for a skill that was put away in between, what it was made from."""
    *ended, _ = home.ledger.releases.of_skill(skill.id)
    earlier = ended[-1].version_id if ended else None
    if earlier in (None, live.id):
        earlier = live.parent_id
    return home.ledger.version(earlier) if earlier else None


def _candidate_sides(home: Home, skill: Skill, text: str) -> tuple[Version | None, Version]:
    candidate = picking.candidate(home, text)
    if candidate.skill_id != skill.id:
        raise NotFound(f"{candidate.id} is a candidate of skill '{candidate.skill_name}'")
    return home.ledger.active(skill), home.ledger.version(candidate.version_id)


def _numbered(home: Home, skill: Skill, number: int) -> Version:
    for version in home.ledger.versions.of_skill(skill.id):
        if version.number == number:
            return version
    raise NotFound(
        f"skill '{skill.name}' has no version {number}",
        hint=f"`hermes skills history {skill.name}` shows them",
    )


def _diff_arguments(parser: ArgumentParser) -> None:
    name_argument(parser)
    parser.add_argument(
        "versions",
        metavar="V1 V2",
        nargs="*",
        type=version_number,
        help="two versions; without them, what is live and what was live before",
    )
    parser.add_argument("--candidate", metavar="ID", help="what is live and this candidate")


COMMANDS = {
    "history": Command(
        run=history,
        arguments=name_argument,
        json=True,
        summary="every version of a skill, and who let it live",
        example="hermes skills history tidy-csv",
    ),
    "diff": Command(
        run=diff,
        arguments=_diff_arguments,
        json=True,
        summary="what changed between two versions of a skill",
        example="hermes skills diff tidy-csv 1 3",
    ),
}
