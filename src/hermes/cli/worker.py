"""`hermes worker`: does what the foreground left to be done: learning, reviews, health."""

from __future__ import annotations

import signal
import threading
from argparse import ArgumentParser

from hermes.app import open_home
from hermes.cli.command import Call, Command
from hermes.cli.exits import DONE
from hermes.errors import Refused


def _run(call: Call) -> int:
    from hermes.app.jobs import run_worker

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    with open_home(call.settings) as home:
        if not call.args.until_idle:
            call.out.note("at work; Ctrl-C ends it, and what is begun goes on at the next start")
        taken = run_worker(home, stop, until_idle=call.args.until_idle, say=call.out.note)
    if taken is None and not call.args.until_idle:
        raise Refused(
            "another worker has this home", hint="with PostgreSQL there may be any number"
        )
    if taken is None:
        call.out.note("another worker is at it already")
    else:
        call.out.note(f"done: {taken} runs came in")
    return DONE


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--until-idle", action="store_true", help="end when there is nothing left to do"
    )


COMMAND = Command(run=_run, arguments=_arguments)
