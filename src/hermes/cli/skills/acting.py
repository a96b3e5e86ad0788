"""What a person does to a skill: roll back, pin, archive, disable, and the reverse of each.

Names are taken exactly as they are written here: an act is not a place for guesses.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable

from hermes.app import Home, open_home
from hermes.cli import picking
from hermes.cli.arguments import name_argument, version_number
from hermes.cli.command import Call, Command
from hermes.cli.identity import approval, by_option, optional_by_option
from hermes.records.approval import Approval
from hermes.records.change import REVERSALS, Act

_DONE = {
    Act.PIN: "is pinned: no agent changes it now",
    Act.UNPIN: "is no longer pinned",
    Act.ARCHIVE: "is archived; its history stays",
    Act.RESTORE: "is live again",
    Act.DISABLE: "is disabled: no prompt shows it now",
    Act.ENABLE: "is enabled",
}
_SUMMARIES = {
    Act.PIN: "keep every agent from changing a skill",
    Act.UNPIN: "let agents propose changes to a skill again",
    Act.ARCHIVE: "put a skill away; nothing is deleted",
    Act.RESTORE: "bring an archived skill back, or put the live version over its folder",
    Act.DISABLE: "show a skill to no prompt, but leave it where it is",
    Act.ENABLE: "show a disabled skill again",
}


def rollback(call: Call) -> None:
    with open_home(call.settings) as home:
        skill = picking.skill(home, call.args.name)
        outcome = home.loop.rollback(
            skill.name, _approval(call, home, call.args.note), to=call.args.to
        )
    assert outcome.version is not None
    if call.json:
        number = outcome.version.number
        call.out.json({"name": skill.name, "version": number, "release": outcome.release})
    else:
        call.out.line(f"{skill.name}: {outcome.reason}")


def _acting(act: Act) -> Callable[[Call], None]:
    def run(call: Call) -> None:
        with open_home(call.settings) as home:
            skill = picking.skill(home, call.args.name)
            reason = call.args.reason.strip()
            change = home.loop.act(
                skill.name, act, _approval(call, home, reason), reason=reason
            )
        if call.json:
            call.out.json({"name": skill.name, "act": act, "changed": change is not None})
        elif change is None:
            call.out.line(f"{skill.name}: nothing to do, it was so already")
        else:
            call.out.line(f"{skill.name} {_DONE[act]}")
            undo = f"hermes skills {REVERSALS[act]} {skill.name}"
            call.out.note(f"`{undo}` takes it back")

    return run


def _approval(call: Call, home: Home, note: str) -> Approval:
    return approval(call.args.by, agent_session_open=home.loop.agent_open(), note=note)


def _rollback_arguments(parser: ArgumentParser) -> None:
    name_argument(parser)
    by_option(parser)
    parser.add_argument("--to", type=version_number, metavar="V", help="not the one before: this")
    parser.add_argument("--note", default="", metavar="TEXT", help="why, for the audit trail")


def _act_arguments(parser: ArgumentParser) -> None:
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
        str(act): Command(
            run=_acting(act),
            arguments=_act_arguments,
            json=True,
            summary=_SUMMARIES[act],
            example=f"hermes skills {act} tidy-csv --by ana",
        )
        for act in _SUMMARIES
    },
}
