"""`hermes learn`: session logs of any agent in, proven drafts out."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.cli.command import Call, Command
from hermes.cli.exits import DONE, FAILED, UsageError
from hermes.cli.identity import approval

if TYPE_CHECKING:
    from hermes.app.learn import LearnReport
    from hermes.records.learned import DraftLine

FORMATS = (
    "auto", "claude-code", "codex", "hermes-agent", "gemini", "opencode", "atif", "sharegpt",
    "openai",
)  # fmt: skip
_MOST_PROBLEMS = 10


def learn(call: Call) -> int:
    """Ingest → observe → extract → validate; what it came to, and what to do next."""
    from hermes.app import open_home
    from hermes.app.learn import learn_from

    if call.args.approve_successes and not call.args.by:
        raise UsageError("--approve-successes needs --by NAME", hint="who says they are good")
    with open_home(call.settings) as home, call.out.progress("reading logs") as step:
        approver = (
            approval(call.args.by, agent_session_open=home.loop.agent_open())
            if call.args.approve_successes
            else None
        )
        report = learn_from(
            home,
            [Path(path) for path in call.args.path],
            format=call.args.format,
            from_disk=call.args.from_disk,
            approver=approver,
            say=step,
        )
    if call.json:
        call.out.json(report.as_json())
    else:
        _show(call, report)
    return FAILED if report.imported.failed else DONE


def _show(call: Call, report: LearnReport) -> None:
    imported, learned = report.imported, report.learned
    for problem in imported.problems[:_MOST_PROBLEMS]:
        call.out.note(f"problem: {problem}")
    if imported.problem_count > _MOST_PROBLEMS:
        call.out.note(f"and {imported.problem_count - _MOST_PROBLEMS} more; --json has the first")
    for kind, count in sorted(imported.unknown.items()):
        call.out.note(f"skipped {count} lines of an unknown kind: {kind}")
    call.out.table(
        ["sessions", "tasks", "successes", "examples", "patterns", "drafts", "await review"],
        [
            [
                imported.sessions,
                learned.tasks,
                learned.successes,
                learned.kept,
                learned.patterns,
                learned.drafts,
                learned.awaiting,
            ]
        ],
        empty="",
    )
    if learned.left_out:
        told = (f"{count} because {why}" for why, count in sorted(learned.left_out.items()))
        call.out.line(f"left out: {', '.join(told)}")
    if learned.lines:
        call.out.line()
        columns = ["pattern", "examples", "skill", "proven", "state", "why"]
        call.out.table(columns, map(_row, learned.lines), empty="", cut="pattern")
    for line in learned.lines:
        if line.state == "awaiting_review":
            call.out.note(f"`hermes review show {line.candidate_id}` shows {line.skill_name}")


def _row(line: DraftLine) -> list[object]:
    proven = None if line.score is None else f"{line.score:.0%}"
    return [line.intent, line.examples, line.skill_name, proven, line.state, line.reason]


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", nargs="+", metavar="PATH", help="a log, or a folder of logs")
    parser.add_argument(
        "--format", choices=FORMATS, default="auto", help="which agent wrote them (default: auto)"
    )
    parser.add_argument(
        "--from-disk",
        action="store_true",
        help="also take input files that are still on disk and unchanged since",
    )
    parser.add_argument(
        "--approve-successes",
        action="store_true",
        help="review the examples that go with a known success; needs --by",
    )
    parser.add_argument("--by", metavar="NAME", help="who approves")


COMMAND = Command(run=learn, arguments=_arguments, json=True)
