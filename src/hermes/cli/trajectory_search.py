"""`hermes trajectories search`: what was done before, by words and by meaning."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli.arguments import count, days
from hermes.cli.branch import Branch
from hermes.cli.command import Call, Command
from hermes.cli.exits import UsageError

if TYPE_CHECKING:
    from hermes.records.past import PastFound, PastPassage, PastRun, Snippet

_DEFAULT = 8
_PATIENCE = 2.0  # seconds of indexing before a search; what is left is told
_BATCH = 64  # runs between two signs of progress
_TASK_SHOWN = 100


def search(call: Call) -> None:
    from hermes.app.past_work import open_past_work
    from hermes.app.scopes import scopes_here
    from hermes.ids import now

    if not call.args.text.strip():
        raise UsageError("nothing to look for", hint="give a few words: an error, a file, a task")
    with open_home(call.settings) as home:
        past = open_past_work(home)
        waiting = past.unread()
        with call.out.progress("reading past runs", waiting or None) as step:
            if call.args.catch_up:
                while done := past.catch_up(limit=_BATCH):
                    for _ in range(min(done, waiting)):
                        step()
            elif waiting:
                past.catch_up(seconds=_PATIENCE)
        found = past.search(
            call.args.text,
            call.args.k,
            scopes=scopes_here(call.settings, Path.cwd()),
            since=now() - timedelta(days=call.args.since) if call.args.since else None,
            agent=call.args.agent,
        )
    _show(call, found)


def _show(call: Call, found: PastFound) -> None:
    for problem in found.problems:
        call.out.note(f"a run was left out: {problem}")
    if found.unread:
        call.out.note(f"{found.unread} runs are not searched yet; --catch-up reads them first")
    if call.json:
        call.out.json(found)
        return
    if not found.runs:
        call.out.line("nothing in past work answers this")
    for run in found.runs:
        call.out.tree(_branch(run))


def _branch(run: PastRun) -> Branch:
    head = f"{run.trajectory_id}  {run.started_at.astimezone():%Y-%m-%d %H:%M}  {run.agent}"
    below = [Branch(_line(one)) for one in run.passages]
    if run.more:
        below.append(Branch(f"{run.more} more: hermes trajectories show {run.trajectory_id}"))
    return Branch(f"{head}  {run.task[:_TASK_SHOWN]}", below)


def _line(passage: PastPassage) -> str:
    from hermes.rules.past.telling import whose

    place = f"step {passage.step_id}, " if passage.step_id else ""
    return f"{place}{whose(passage.kind)}: {_marked(passage.snippet)}"


def _marked(snippet: Snippet) -> str:
    """The words that were asked for between «», which no shell and few logs use."""
    parts, at = [], 0
    for start, end in snippet.marks:
        parts += [snippet.text[at:start], "«", snippet.text[start:end], "»"]
        at = end
    return "".join([*parts, snippet.text[at:]])


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="words of it, or what it was about")
    parser.add_argument("-k", type=count, default=_DEFAULT, metavar="N", help=f"runs ({_DEFAULT})")
    parser.add_argument("--since", type=days, metavar="AGE", help="not older than: 30d, 12w")
    parser.add_argument("--agent", metavar="NAME", help="of one agent: hermes, claude-code, …")
    parser.add_argument(
        "--catch-up", action="store_true", help="first index all runs that no search finds yet"
    )


SEARCH = Command(
    run=search,
    arguments=_arguments,
    json=True,
    summary="find past runs by words and by meaning, with the place in each",
    example='hermes trajectories search "connection refused on port 5432" --since 30d',
)
