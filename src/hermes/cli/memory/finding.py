"""`hermes memory search`: what is remembered of something, and why it was chosen."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.app.remembering import memory_room, search
from hermes.cli.arguments import count
from hermes.cli.command import Call, Command
from hermes.cli.memory.arguments import (
    age,
    kind_of,
    kind_option,
    one_line,
    scope_option,
    scopes_of,
)
from hermes.errors import WrongCall
from hermes.ids import now

if TYPE_CHECKING:
    from hermes.records.recall import Cut, Hit

_WORDS_SHOWN = 3


def find(call: Call) -> None:
    if not call.args.text.strip():
        raise WrongCall("there is nothing to search for", hint="say what it is about")
    kind, scopes = kind_of(call), scopes_of(call)
    with open_home(call.settings) as home, memory_room(home) as room:
        recalled = search(
            room,
            call.args.text,
            scopes=scopes,
            kinds=None if kind is None else [kind],
            k=call.args.k or call.settings.memory.top_k,
        )
    if call.json:
        call.out.json(recalled)
        return
    call.out.table(
        ("MEMORY", "SCORE", "TEXT", "WHY", "SOURCE"),
        map(_row, recalled.items),
        empty="nothing like it is remembered",
        cut="TEXT",
    )
    _tell_cut(call, recalled.cut)


def _row(hit: Hit) -> tuple[object, ...]:
    memory = hit.memory
    return memory.id, round(hit.score, 2), one_line(memory), _why(hit), memory.source


def _why(hit: Hit) -> str:
    """Words, meaning, age: short, for the text needs the room; `--json` has every part."""
    why = hit.why
    more = " …" if len(why.words) > _WORDS_SHOWN else ""
    parts = [", ".join(why.words[:_WORDS_SHOWN]) + more] if why.words else []
    if why.semantic is not None:
        parts.append(f"meaning {why.semantic:.2f}")
    parts.append(age(hit.memory.created_at, now()))
    if why.superseded:
        parts.append("superseded")
    return "; ".join(parts)


def _tell_cut(call: Call, cut: Cut) -> None:
    """Only what the reader can do something about."""
    if cut.waiting:
        call.out.note(f"{cut.waiting} wait for approval: `hermes memory list --waiting`")
    if cut.expired:
        call.out.note(f"{cut.expired} that fit have expired")


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="what you want to know, in any words")
    parser.add_argument("-k", type=count, metavar="N", help="at most N (memory.top_k)")
    kind_option(parser, "only these")
    scope_option(parser, "only there")


COMMANDS = {
    "search": Command(
        run=find,
        arguments=_arguments,
        json=True,
        summary="what is remembered of something, by words and by meaning, with why",
        example='hermes memory search "which port does staging use" -k 3',
    )
}
