"""`skills list` and `skills search`: what there is, and what fits a need."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli.arguments import count
from hermes.cli.command import Call, Command
from hermes.records.origin import Origin

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.records.skill_line import SkillLine

_EMBEDDING_SECONDS = 8.0  # what a search may spend on skills that have no vector yet


def list_(call: Call) -> None:
    with open_home(call.settings) as home:
        home.reader.look(deep=False)
        lines = [line for line in home.listing.lines() if _is_wanted(call, line)]
        problems = home.reader.problems()
    if call.json:
        call.out.json(
            {
                "skills": [line._asdict() for line in lines],
                "problems": [{"location": p.location, "problem": p.problem} for p in problems],
            }
        )
        return
    call.out.table(
        ("NAME", "VERSION", "STATE", "ORIGIN", "MARKS", "CATEGORY", "DESCRIPTION"),
        map(_row, lines),
        empty=_nothing(call),
        cut="DESCRIPTION",
    )
    for problem in problems:
        call.out.note(f"problem: {problem.problem}")


def _row(line: SkillLine) -> tuple[object, ...]:
    never_live = line.version is None and line.state == "live"
    state = "draft" if never_live else line.state
    marks = tuple(_marks(line))
    return line.name, line.version, state, line.origin, marks, line.category, line.description


def search(call: Call) -> None:
    from hermes.app import skill_search
    from hermes.cli.exits import UsageError

    text = call.args.text
    if not text.strip():
        raise UsageError("there is nothing to search for", hint='hermes skills search "tidy csv"')
    with open_home(call.settings) as home:
        home.reader.look(deep=False)
        by_meaning = _read_meanings(call, home)
        hits = skill_search(home, semantic=by_meaning).search(text, call.args.k)
    if call.json:
        call.out.json({"by_meaning": by_meaning, "hits": hits})
        return
    call.out.table(
        ("SCORE", "NAME", "WHY", "DESCRIPTION"),
        ((f"{hit.score:.2f}", hit.skill.name, hit.why, hit.skill.description) for hit in hits),
        empty="nothing in the library fits",
        cut="DESCRIPTION",
    )


def _read_meanings(call: Call, home: Home) -> bool:
    """Give new skills their vectors; whether meanings can be compared at all on this machine."""
    from hermes.app import skill_search
    from hermes.errors import EmbedderUnavailable, MissingPart

    try:
        with call.out.progress("Reading new skills"):
            skill_search(home).embed_missing(seconds=_EMBEDDING_SECONDS)
    except MissingPart as error:
        call.out.note(f"note: searched by words alone: {error}")
        return False
    except EmbedderUnavailable:  # it has said so itself
        return False
    return True


def _is_wanted(call: Call, line: SkillLine) -> bool:
    wanted = call.args
    return (
        wanted.origin in (None, line.origin)
        and wanted.category in (None, line.category)
        and (wanted.all or line.state != "archived")
    )


def _marks(line: SkillLine) -> Iterator[str]:
    if line.pinned:
        yield "pinned"
    if line.disabled:
        yield "disabled"
    if line.version is not None and not line.proven:
        yield "unproven"


def _nothing(call: Call) -> str:
    if call.args.origin or call.args.category:
        return "no such skills"
    return f"no skills yet; put one into {call.settings.paths.skills_dir}/<name>/SKILL.md"


def _list_arguments(parser: ArgumentParser) -> None:
    origins = [str(origin) for origin in Origin]
    parser.add_argument("--origin", metavar="O", choices=origins, help="only those made so")
    parser.add_argument("--category", metavar="C", help="only those of this category")
    parser.add_argument("--all", action="store_true", help="archived ones too")


def _search_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="what you want to do, in your own words")
    parser.add_argument("-k", type=count, default=5, metavar="N", help="how many at most (5)")


COMMANDS = {
    "list": Command(
        run=list_,
        arguments=_list_arguments,
        json=True,
        summary="every skill: its version, state, origin and marks",
        example="hermes skills list --origin user",
    ),
    "search": Command(
        run=search,
        arguments=_search_arguments,
        json=True,
        summary="the skills that fit a need, by word and by meaning",
        example='hermes skills search "clean up a messy spreadsheet"',
    ),
}
