"""What a person does to a skill: roll back, pin, archive, disable, and the reverse of each.

Names are taken exactly as they are written here: an act is not a place for guesses.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli.arguments import name_argument, version_number
from hermes.cli.command import Call, Command

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.records.approval import Approval

_ACTS = {
    "pin": ("keep every agent from changing a skill", "is pinned: no agent changes it now"),
    "unpin": ("let agents propose changes to a skill again", "is no longer pinned"),
    "archive": ("put a skill away; nothing is deleted", "is archived; its history stays"),
    "restore": (
        "bring an archived skill back, or put the live version over its folder",
        "is live again",
    ),
    "disable": (
        "show a skill to no prompt, but leave it where it is",
        "is disabled: no prompt shows it now",
    ),
    "enable": ("show a disabled skill again", "is enabled"),
}
"""Act → what it is for, and what is said when it is done."""


def rollback(call: Call) -> None:
    from hermes.cli import picking

    with open_home(call.settings) as home:
        skill = picking.skill(home, call.args.name)
        approval = _approval(call, home, call.args.note)
        outcome = home.loop.rollback(skill.name, approval, to=call.args.to)
    assert outcome.version is not None
    if call.json:
        number = outcome.version.number
        call.out.json({"name": skill.name, "version": number, "release": outcome.release})
    else:
        call.out.line(f"{skill.name}: {outcome.reason}")


def _acting(name: str) -> Callable[[Call], None]:
    def run(call: Call) -> None:
        from hermes.cli import picking
        from hermes.records.change import REVERSALS, Act

        act, reason = Act(name), call.args.reason.strip()
        with open_home(call.settings) as home:
            skill = picking.skill(home, call.args.name)
            change = home.loop.act(skill.name, act, _approval(call, home, reason), reason=reason)
        if call.json:
            call.out.json({"name": skill.name, "act": act, "changed": change is not None})
        elif change is None:
            call.out.line(f"{skill.name}: nothing to do, it was so already")
        elif act is Act.RESTORE and change.reason:  # it was live; only its folder had gone astray
            call.out.line(f"{skill.name}: {change.reason}")
        else:
            call.out.line(f"{skill.name} {_ACTS[name][1]}")
            call.out.note(f"`hermes skills {REVERSALS[act]} {skill.name}` takes it back")

    return run


def _approval(call: Call, home: Home, note: str) -> Approval:
    from hermes.cli.identity import approval

    return approval(call.args.by, agent_session_open=home.loop.agent_open(), note=note)


def _rollback_arguments(parser: ArgumentParser) -> None:
    from hermes.cli.identity import by_option

    name_argument(parser)
    by_option(parser)
    parser.add_argument("--to", type=version_number, metavar="V", help="not the one before: this")
    parser.add_argument("--note", default="", metavar="TEXT", help="why, for the audit trail")


def _act_arguments(parser: ArgumentParser) -> None:
    from hermes.cli.identity import optional_by_option

    name_argument(parser)
    optional_by_option(parser)
    parser.add_argument("--reason", default="", metavar="TEXT", help="why, for the audit trail")


COMMANDS = {
    "rollback": Command(
        run=rollback,
        arguments=_rollback_arguments,
        json=True,
        summary="bring an earlier version back, byte for byte",
        example='hermes skills rollback tidy-csv --by ana --note "it lost the header"',
    ),
    **{
        name: Command(
            run=_acting(name),
            arguments=_act_arguments,
            json=True,
            summary=summary,
            example=f"hermes skills {name} tidy-csv --by ana",
        )
        for name, (summary, _) in _ACTS.items()
    },
}
