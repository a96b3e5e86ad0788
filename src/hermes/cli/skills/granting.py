"""`skills grant` and `skills revoke`: the hosts that a skill may reach when it is run."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli.arguments import name_argument
from hermes.cli.command import Call, Command

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.records.approval import Approval
    from hermes.records.skill import Skill


def grant(call: Call) -> None:
    from hermes.cli import picking

    with open_home(call.settings) as home:
        skill = picking.skill(home, call.args.name)
        new = home.loop.grant(skill.name, call.args.host, _approval(call, home))
        reachable = _hosts(home, skill)
    if call.json:
        call.out.json(
            {"name": skill.name, "granted": [one.host for one in new], "network": reachable}
        )
        return
    if not new:
        call.out.line(f"{skill.name}: nothing to do, it was so already")
        return
    call.out.line(f"{skill.name} may now reach {', '.join(reachable)} when it is run")
    call.out.note(
        "this holds for the live version and your own edits of it, not for what others make of it;"
        f" `hermes skills revoke {skill.name}` takes it back"
    )


def revoke(call: Call) -> None:
    from hermes.cli import picking

    with open_home(call.settings) as home:
        skill = picking.skill(home, call.args.name)
        ended = home.loop.revoke(skill.name, call.args.host, _approval(call, home))
        reachable = _hosts(home, skill)
    hosts = list(dict.fromkeys(one.host for one in ended))
    if call.json:
        call.out.json({"name": skill.name, "revoked": hosts, "network": reachable})
    elif not hosts:
        call.out.line(f"{skill.name}: nothing to do, it was granted no host")
    else:
        call.out.line(f"{skill.name} may no longer reach {', '.join(hosts)}")


def _hosts(home: Home, skill: Skill) -> tuple[str, ...]:
    from hermes.app.granting import granted_hosts

    return granted_hosts(home, skill)


def _approval(call: Call, home: Home) -> Approval:
    from hermes.cli.identity import approval

    note = call.args.note
    return approval(call.args.by, agent_session_open=home.loop.agent_open(), note=note)


def _grant_arguments(parser: ArgumentParser) -> None:
    from hermes.cli.identity import by_option

    name_argument(parser)
    _host_option(parser, "a host, or host:port; again for another", required=True)
    by_option(parser)
    _note_option(parser)


def _revoke_arguments(parser: ArgumentParser) -> None:
    from hermes.cli.identity import optional_by_option

    name_argument(parser)
    _host_option(parser, "only this one; again for another (every host)", required=False)
    optional_by_option(parser)
    _note_option(parser)


def _host_option(parser: ArgumentParser, text: str, *, required: bool) -> None:
    parser.add_argument(
        "--host", metavar="HOST", action="append", default=[], required=required, help=text
    )


def _note_option(parser: ArgumentParser) -> None:
    parser.add_argument("--note", default="", metavar="TEXT", help="why, for the audit trail")


COMMANDS = {
    "grant": Command(
        run=grant,
        arguments=_grant_arguments,
        json=True,
        summary="let a skill reach a host when it is run; a trial never has a network",
        example="hermes skills grant fetch-rates --host api.example.com --by ana",
    ),
    "revoke": Command(
        run=revoke,
        arguments=_revoke_arguments,
        json=True,
        summary="take hosts back that a skill was granted",
        example="hermes skills revoke fetch-rates --host api.example.com --by ana",
    ),
}
