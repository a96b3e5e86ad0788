"""`hermes events`: the audit trail as sentences."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import cache

from hermes.app import open_home
from hermes.cli.arguments import limit_option
from hermes.cli.command import Call, Command
from hermes.cli.event_sentences import sentence
from hermes.cli.output import cell
from hermes.records.codec import dump


def run(call: Call) -> None:
    with open_home(call.settings) as home:

        @cache
        def name_of(skill_id: str | None) -> str:
            skill = home.ledger.skills.get(skill_id) if skill_id else None
            return skill.name if skill else skill_id or ""

        skill_id = None
        if call.args.skill:
            from hermes.cli import picking

            skill_id = picking.skill_to_read(call, home, call.args.skill).id
        else:
            home.reader.look(deep=False)  # what happened on disk a moment ago belongs here too
        events = home.ledger.events.latest(skill_id, call.args.limit)
        told = [(event, sentence(event, name_of(event.skill_id))) for event in events]
    if call.json:
        call.out.json([{**dump(event), "text": text} for event, text in told])
        return
    for event, text in told:
        call.out.line(f"{cell(event.at)}  {text}")
    if not told:
        call.out.line("nothing has happened yet")


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--skill", metavar="NAME", help="only what concerns this skill")
    limit_option(parser, 100)


COMMAND = Command(run=run, arguments=_arguments, json=True)
