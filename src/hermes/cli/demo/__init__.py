"""`hermes demo`: from other agents' logs to proven skills, with real commands on a real home.

Nothing here is a picture of the program: every command is run as typed, its output is its own, and
each claim is checked against the disk or the records. One that does not hold ends in exit code 1.
"""

from __future__ import annotations

import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from hermes.cli.command import Call, Command
from hermes.cli.demo import answering, changing, finding, learning, proposing, undoing, using
from hermes.cli.demo.narrator import Narrator
from hermes.cli.exits import DONE, FAILED
from hermes.cli.output import Output
from hermes.errors import Refused

Chapter = Callable[[Narrator, int], None]

CHAPTERS: Sequence[Chapter] = (
    learning.chapter,
    using.chapter,
    proposing.chapter,
    changing.chapter,
    undoing.chapter,
    finding.chapter,
    answering.chapter,
)


def run(call: Call) -> int:
    with ExitStack() as stack:
        home = _home(call, stack)
        code = tell(call.out, home, CHAPTERS)
    if code == DONE:
        look = f"hermes --home {home} skills list" if call.args.keep else "hermes doctor"
        call.out.line(f"Next: {look}")
    return code


def tell(out: Output, home: Path, chapters: Sequence[Chapter]) -> int:
    """Every chapter in this home; the exit code says whether all that was claimed is so."""
    started = time.monotonic()
    narrator = Narrator(out, home)
    narrator.say(f"A new home in {home}: no key, no server, nothing to set up.")
    for number, chapter in enumerate(chapters, 1):
        chapter(narrator, number)
    out.line()
    if not narrator.broken:
        seconds = time.monotonic() - started
        out.heading(f"All {narrator.claims} claims were checked and hold ({seconds:.0f} s).")
        return DONE
    out.heading(f"{len(narrator.broken)} of {narrator.claims} claims did not hold:")
    for claim in narrator.broken:
        out.line(f"  {claim}")
    return FAILED


def _home(call: Call, stack: ExitStack) -> Path:
    if not call.args.keep:
        return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hermes-demo-")))
    home = Path(call.args.keep).absolute()
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise Refused(f"{home} is not empty", hint="name a folder that is new or empty")
    home.mkdir(parents=True, exist_ok=True)
    return home


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--keep", metavar="PATH", help="make the home there, and leave it")


COMMAND = Command(run=run, arguments=_arguments)
