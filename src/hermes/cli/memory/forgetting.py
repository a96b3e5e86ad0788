"""`hermes memory forget`: what was remembered is gone; that it was forgotten is not."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.app.remembering import find_memory, forget_chosen, listing_of
from hermes.app.remembering import forget as forget_memories
from hermes.cli.arguments import days
from hermes.cli.command import Call, Command
from hermes.cli.exits import UsageError
from hermes.cli.identity import approval, optional_by_option
from hermes.cli.memory.arguments import kind_of, kind_option, scope_option, scopes_of
from hermes.ids import now

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.records.approval import Approval
    from hermes.records.memory_choice import MemoryChoice


def forget(call: Call) -> None:
    by_choice = call.args.older_than is not None or call.args.source is not None
    if bool(call.args.id) == by_choice:
        raise UsageError("forget some by their ID, or many by --older-than or --source")
    with open_home(call.settings) as home:
        said = approval(call.args.by, agent_session_open=home.loop.agent_open())
        count = _chosen(call, home, said) if by_choice else _named(call, home, said)
    if call.json:
        call.out.json({"forgotten": count})
    elif count:
        call.out.line(f"{count:,} forgotten: text, meaning and index entries are gone")
    else:
        call.out.line("nothing was forgotten")


def _named(call: Call, home: Home, said: Approval) -> int:
    """All are found before the first is gone: a wrong id forgets nothing."""
    found = {one.id: one for one in (find_memory(home, text) for text in call.args.id)}
    return forget_memories(home, list(found.values()), said)


def _chosen(call: Call, home: Home, said: Approval) -> int:
    choice = _choice(call)
    count = listing_of(home).count(choice)
    question = f"Forget {count:,} memories of {', '.join(choice.scopes)}?"
    if not count or not (call.args.yes or call.confirm(question, instead="--yes")):
        return 0
    with call.out.progress("Forgetting") as done:
        return forget_chosen(home, choice, said, lambda gone: done(f"Forgetting: {gone:,}"))


def _choice(call: Call) -> MemoryChoice:
    from hermes.records.memory_choice import MemoryChoice

    older = call.args.older_than
    return MemoryChoice(
        scopes=scopes_of(call),
        kind=kind_of(call),
        superseded=None,
        source=call.args.source,
        created_before=None if older is None else now() - timedelta(days=older),
    )


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", nargs="*", metavar="ID", help="any unique part of its beginning")
    parser.add_argument("--older-than", type=days, metavar="AGE", help="all so old: 90d, 12w")
    parser.add_argument(
        "--source", metavar="NAME", help="all that came from there, as in import:notes.jsonl"
    )
    kind_option(parser, "of those, only these")
    scope_option(parser, "of those, only there")
    parser.add_argument("--yes", action="store_true", help="do not ask before forgetting many")
    optional_by_option(parser)


COMMANDS = {
    "forget": Command(
        run=forget,
        arguments=_arguments,
        json=True,
        summary="remove memories for good, one by one or by age or source",
        example="hermes memory forget mem_02mfz --by ana",
    )
}
