"""`hermes demo`: the whole life of a skill, with real commands on a real home.

Nothing here is a picture of the program: every command is run as typed, its output is its own, and
each claim is checked against the disk or the records. One that does not hold ends in exit code 1.
"""

from __future__ import annotations

import tempfile
import time
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path

from hermes.cli.command import Call, Command
from hermes.cli.demo import answering, changing, finding, proposing, undoing
from hermes.cli.demo.narrator import Narrator
from hermes.cli.exits import DONE, FAILED
from hermes.errors import Refused

CHAPTERS = (
    proposing.chapter,
    changing.chapter,
    undoing.chapter,
    finding.chapter,
    answering.chapter,
)


def run(call: Call) -> int:
    started = time.monotonic()
    with ExitStack() as stack:
        home = _home(call, stack)
        narrator = Narrator(call.out, home)
        narrator.say(f"A new home in {home}: no key, no server, nothing to set up.")
        for number, chapter in enumerate(CHAPTERS, 1):
            chapter(narrator, number)
    call.out.line()
    seconds = time.monotonic() - started
    if narrator.broken:
        call.out.heading(f"{len(narrator.broken)} of {narrator.claims} claims did not hold:")
        for claim in narrator.broken:
            call.out.line(f"  {claim}")
        return FAILED
    call.out.heading(f"All {narrator.claims} claims were checked and hold ({seconds:.0f} s).")
    if call.args.keep:
        call.out.line(f"Look around: hermes --home {home} skills list")
    else:
        call.out.line("Next: hermes doctor, then hermes skills list")
    return DONE


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
