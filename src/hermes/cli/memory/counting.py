"""`hermes memory stats`, `upkeep`, `reembed`: how much there is, and making all of it findable."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.app.remembering import listing_of, memory_room, report
from hermes.cli.command import Call, Command
from hermes.cli.memory.arguments import scope_option, scopes_of
from hermes.errors import MissingPart

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.app.remembering import MemoryReport

_AGES = {"day": "a day", "week": "a week", "month": "a month", "year": "a year"}
_AT_ONCE = 64


def stats(call: Call) -> None:
    with open_home(call.settings) as home:
        told = report(home, _scopes(call, home))
    figures, happened = told.figures, told.figures.tallies
    rates = {"junk_rate": figures.junk_rate, "duplicate_rate": figures.duplicate_rate}
    if call.json:
        call.out.json({"report": told, **rates})
        return
    count = sum(figures.kinds.values())
    offered = sum(happened.get(name, 0) for name in ("added", "merged", "refused"))
    call.out.fields(
        [
            ("memories", f"{count:,}"),
            ("scopes", list(told.scopes)),
            ("kinds", _counted(figures.kinds)),
            ("ages", _ages(figures.ages)),
            ("superseded", f"{figures.superseded:,}"),
            ("waiting", f"{figures.waiting:,}"),
            ("offered", f"{offered:,}"),
            ("junk", f"{figures.junk_rate:.1%} refused"),
            ("duplicates", f"{figures.duplicate_rate:.1%} merged"),
            ("forgotten", f"{happened.get('forgotten', 0):,}"),
            (
                "recall",
                f"{happened.get('hits', 0):,} hits in {happened.get('searches', 0):,} searches",
            ),
            ("embedder", told.embedder or "none: `hermes doctor` says why"),
            ("embedded", _embedded(told, count)),
            ("index", told.index),
        ]
    )


def _scopes(call: Call, home: Home) -> tuple[str, ...]:
    """All that have memories, for whoever looks after the database."""
    return scopes_of(call) if call.args.scope else tuple(listing_of(home).scopes())


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items()))


def _ages(ages: Mapping[str, int]) -> str:
    known = [f"{ages[name]:,} within {said}" for name, said in _AGES.items() if ages.get(name)]
    return ", ".join([*known, *([f"{ages['older']:,} older"] if ages.get("older") else [])])


def _embedded(told: MemoryReport, count: int) -> str:
    lacking = told.figures.without_vector
    if not lacking or told.embedder is None:
        return f"{count - lacking:,} of {count:,}"
    todo = "searches do it bit by bit, `hermes memory upkeep` at once"
    return f"{count - lacking:,} of {count:,}; the rest is found by words ({todo})"


def upkeep(call: Call) -> None:
    with open_home(call.settings) as home:
        if home.embedder is None:
            call.out.note("there is no embedder, so words are all there is: see `hermes doctor`")
        done = _all_done(call, home)
    if call.json:
        call.out.json({"done": done})
    else:
        call.out.line(f"{done:,} memories were indexed or embedded; all is up to date")


def reembed(call: Call) -> None:
    """A person says which embedder it shall be; processes with another go by words from then on."""
    with open_home(call.settings) as home:
        if home.embedder is None:
            raise MissingPart("there is no embedder to embed with", hint="see `hermes doctor`")
        name, move = home.embedder.name, home.embedder.take_over()
        done = _all_done(call, home)
    if call.json:
        call.out.json({"embedder": name, "before": move.before if move else None, "done": done})
        return
    was = f"moved from {move.before} to {name}" if move else f"those of {name} already"
    call.out.line(f"the vectors were {was}; {done:,} memories were embedded")


def _all_done(call: Call, home: Home) -> int:
    """In small runs, so that it can be watched, and stopped without losing what is done."""
    with memory_room(home) as room, call.out.progress("Embedding") as step:
        lacking, done = room.figures.of(listing_of(home).scopes()).without_vector, 0
        while True:
            some = room.upkeep.run(limit=_AT_ONCE)
            done += some
            step(f"Embedding: {done:,} of {max(lacking, done):,}")
            if some < _AT_ONCE:
                return done


def _stats_arguments(parser: ArgumentParser) -> None:
    scope_option(parser, "only there")


COMMANDS = {
    "stats": Command(
        run=stats,
        arguments=_stats_arguments,
        json=True,
        summary="how much is remembered, how old it is, how well it is kept and found",
        example="hermes memory stats",
    ),
    "upkeep": Command(
        run=upkeep,
        json=True,
        summary="give everything what it is found by; stop it any time, it goes on there",
        example="hermes memory upkeep",
    ),
    "reembed": Command(
        run=reembed,
        json=True,
        summary="move all to the embedder of these settings, where another process took them away",
        example="hermes memory reembed",
    ),
}
