"""`hermes memory approve`: let an instruction from elsewhere be recalled, on a person's word."""

from __future__ import annotations

from argparse import ArgumentParser

from hermes.app import open_home
from hermes.app.remembering import approve as approve_memory
from hermes.app.remembering import find_memory
from hermes.cli.arguments import id_argument
from hermes.cli.command import Call, Command
from hermes.cli.identity import approval, by_option


def approve(call: Call) -> None:
    with open_home(call.settings) as home:
        said = approval(call.args.by, agent_session_open=home.loop.agent_open())
        approved = approve_memory(home, find_memory(home, call.args.id), said)
    if call.json:
        call.out.json(approved)
    else:
        call.out.line(f"{approved.id} is approved by {approved.approved_by} and can be recalled")


def _arguments(parser: ArgumentParser) -> None:
    id_argument(parser)
    by_option(parser)


COMMANDS = {
    "approve": Command(
        run=approve,
        arguments=_arguments,
        json=True,
        summary="allow a memory that reads as an instruction and was not said by you",
        example="hermes memory approve mem_02mfz --by ana",
    )
}
