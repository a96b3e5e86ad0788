"""`hermes memory export` and `import`: memories as JSON lines, in files and pipes."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from hermes.app import open_home, os_user
from hermes.app.memory_files import import_memories, memories_of, new_file
from hermes.app.scopes import scope_named
from hermes.cli.command import Call, Command
from hermes.cli.exits import DONE, FAILED, UsageError
from hermes.cli.identity import approval
from hermes.cli.memory.arguments import scope_option, scopes_of
from hermes.errors import NotFound

if TYPE_CHECKING:
    from hermes.records.memory import Memory
    from hermes.records.memory_import import MemoryImport

_STEP = 500  # memories between two looks at the progress
_MOST_TOLD = 10


def export(call: Call) -> None:
    scopes = scopes_of(call) if call.args.scope else None
    piped = call.args.file == "-"
    count = 0
    with (
        open_home(call.settings) as home,
        _writing(call, piped) as write,
        call.out.progress("Exporting") as done,
    ):
        for count, memory in enumerate(memories_of(home, scopes), start=1):
            write(memory)
            if count % _STEP == 0:
                done(f"Exporting: {count:,}")
    if piped:
        call.out.note(f"{count:,} memories")
    elif call.json:
        call.out.json({"file": call.args.file, "memories": count})
    else:
        call.out.line(f"{call.args.file}: {count:,} memories")


@contextmanager
def _writing(call: Call, piped: bool) -> Iterator[Callable[[Memory], None]]:
    """A line a memory. What goes to stdout cannot command a terminal; a file has it plain."""
    if piped:
        yield call.out.json
        return
    from hermes.rules.remembering.written_down import line_of

    with new_file(Path(call.args.file)) as file:
        yield lambda memory: print(line_of(memory), file=file)


def import_(call: Call) -> int:
    if call.args.vouch and not call.args.by:
        raise UsageError("--vouch needs --by NAME", hint="who knows where the file comes from")
    scope = call.args.scope and scope_named(call.settings, call.args.scope, Path.cwd())
    name = "stdin" if call.args.file == "-" else Path(call.args.file).name
    with (
        open_home(call.settings) as home,
        _reading(call.args.file) as stream,
        call.out.progress("Importing") as done,
    ):
        said = approval(call.args.by or os_user(), agent_session_open=home.loop.agent_open())
        report = import_memories(
            home,
            stream,
            name,
            said=said,
            vouched=call.args.vouch,
            scope=scope or None,
            progress=lambda lines: done(f"Importing: {lines:,} lines"),
        )
    _tell(call, report)
    return FAILED if report.broken else DONE


def _tell(call: Call, report: MemoryImport) -> None:
    shown = report.told if call.json else report.told[:_MOST_TOLD]
    told = [f"{call.args.file}:{line}" for line in shown]
    if call.json:
        counts = {name: getattr(report, name) for name in _COUNTS}
        call.out.json({**counts, "told": told})
    else:
        for line in told:
            call.out.note(line)
        more = report.broken + report.refused - len(told)
        if more > 0:
            call.out.note(f"and {more:,} more; --json tells the first hundred")
        call.out.line(", ".join(f"{getattr(report, name):,} {name}" for name in _COUNTS))
    if report.waiting:
        call.out.note(f"{report.waiting:,} read as instructions: `hermes memory list --waiting`")
    if report.broken:
        call.out.note(f"{report.broken:,} lines could not be read; the others are imported")


_COUNTS = ("kept", "waiting", "known", "refused", "broken")


def _reading(file: str) -> nullcontext[BinaryIO] | BinaryIO:
    if file == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(file).open("rb")
    except OSError as error:
        raise NotFound(f"{file}: {error.strerror or error}") from error


def _export_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a new file; - writes to stdout")
    scope_option(parser, "only there")


def _import_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help='lines like {"text": "…"}; - reads stdin')
    scope_option(parser, "all into this one")
    parser.add_argument(
        "--vouch",
        action="store_true",
        help="believe the file: trust, approvals and strength as it says; needs --by",
    )
    parser.add_argument("--by", metavar="NAME", help="who imports it")


COMMANDS = {
    "export": Command(
        run=export,
        arguments=_export_arguments,
        json=True,
        summary="every memory with every field, a line each",
        example="hermes memory export memories.jsonl",
    ),
    "import": Command(
        run=import_,
        arguments=_import_arguments,
        json=True,
        summary="take in what was exported or written by hand; what is known is left alone",
        example="hermes memory import memories.jsonl",
    ),
}
