"""`hermes memory list` and `show`: look through what is remembered. Neither loads a model."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.app.remembering import find_memory, look, page_of
from hermes.cli.arguments import count, id_argument
from hermes.cli.command import Call, Command
from hermes.cli.memory.arguments import (
    age,
    kind_of,
    kind_option,
    one_line,
    scope_option,
    scopes_of,
    state,
)
from hermes.ids import now

if TYPE_CHECKING:
    from hermes.records.memory import Memory

_PAGE = 50


def list_(call: Call) -> None:
    from hermes.records.memory_choice import MemoryChoice

    choice = MemoryChoice(
        scopes=scopes_of(call),
        kind=kind_of(call),
        waiting=True if call.args.waiting else None,
        superseded=call.args.superseded,
    )
    with open_home(call.settings) as home:
        before = find_memory(home, call.args.before).id if call.args.before else ""
        memories, cursor = page_of(home, choice, before, call.args.limit)
    if call.json:
        call.out.json({"items": memories, "next": cursor})
        return
    call.out.table(
        ("MEMORY", "KIND", "SCOPE", "STATE", "AGE", "SOURCE", "TEXT"),
        map(_row, memories),
        empty=_nothing(call),
        cut="TEXT",
    )
    if cursor is not None:
        call.out.note(f"there are older ones: add `--before {cursor}`")


def _nothing(call: Call) -> str:
    if call.args.waiting:
        return "nothing waits for approval"
    if call.args.superseded:
        return "nothing was superseded"
    return 'nothing is remembered yet: `hermes memory add "TEXT"`'


def _row(one: Memory) -> tuple[object, ...]:
    at = now()
    old = age(one.created_at, at)
    return one.id, str(one.kind), one.scope, state(one, at), old, one.source, one_line(one)


def show(call: Call) -> None:
    with open_home(call.settings) as home:
        seen = look(home, find_memory(home, call.args.id))
    if call.json:
        call.out.json(seen)
        return
    one = seen.memory
    waits = f"waits for approval: {seen.waits_because}" if one.waiting else state(one, now())
    call.out.fields(
        [
            ("memory", one.id),
            ("text", one.text),
            ("kind", str(one.kind)),
            ("scope", one.scope),
            ("state", waits),
            ("source", one.source),
            ("trust", str(one.trust)),
            ("approved by", one.approved_by),
            ("session", one.session_id),
            ("since", one.created_at),
            ("last recalled", one.last_recalled_at),
            ("strength", one.strength),
            ("expires", one.expires_at),
            ("superseded by", one.superseded_by),
            ("supersedes", list(seen.replaces)),
            ("embedded by", seen.embedded_by or "nobody yet: found by its words"),
        ]
    )
    if one.waiting:
        call.out.note(f"`hermes memory approve {one.id} --by NAME` lets it be recalled")


def _list_arguments(parser: ArgumentParser) -> None:
    kind_option(parser, "only these")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--waiting", action="store_true", help="what waits for approval")
    which.add_argument("--superseded", action="store_true", help="what something newer replaced")
    scope_option(parser, "only there")
    parser.add_argument(
        "--limit", type=count, default=_PAGE, metavar="N", help=f"at most N ({_PAGE})"
    )
    parser.add_argument("--before", metavar="ID", help="older than this one: the next page")


COMMANDS = {
    "list": Command(
        run=list_,
        arguments=_list_arguments,
        json=True,
        summary="what is remembered, newest first, by pages",
        example="hermes memory list --waiting",
    ),
    "show": Command(
        run=show,
        arguments=id_argument,
        json=True,
        summary="one memory: its text, where it came from, what became of it",
        example="hermes memory show mem_02mfz",
    ),
}
