"""`hermes worker`: does what the foreground left to be done: learning, reviews, health."""

from __future__ import annotations

import os
import signal
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager

from hermes.app import open_home
from hermes.cli.command import Call, Command
from hermes.cli.exits import DONE, FAILED
from hermes.errors import Refused


def _run(call: Call) -> int:
    from hermes.app.jobs import retry_failed, run_worker

    with _stopped_by_signals() as stop, open_home(call.settings) as home:
        if call.args.retry_failed:
            call.out.note(f"failed before and tried again: {retry_failed(home)}")
        if not call.args.until_idle:
            call.out.note("at work; Ctrl-C ends it, and what is begun goes on at the next start")
        worked = run_worker(home, stop, until_idle=call.args.until_idle, say=call.out.note)
    if worked is None and not call.args.until_idle:
        raise Refused(
            "another worker has this home", hint="with PostgreSQL there may be any number"
        )
    if worked is None:
        call.out.note("another worker is at it already")
        return DONE
    call.out.note(f"done: {worked.taken} runs came in")
    if worked.left:
        call.out.note(f"{worked.left} jobs are begun anew at the next start")
        _leave_now(DONE)
    return DONE


@contextmanager
def _stopped_by_signals() -> Iterator[threading.Event]:
    """The first signal ends the work in order; a second one leaves at once, which loses nothing."""
    stop = threading.Event()

    def asked(*_: object) -> None:
        if stop.is_set():
            _leave_now(FAILED)
        stop.set()

    before = {number: signal.signal(number, asked) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave_now(code: int) -> None:
    """Without waiting for the threads that are still at it: their jobs are safe to repeat."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--until-idle", action="store_true", help="end when there is nothing left to do"
    )
    parser.add_argument(
        "--retry-failed", action="store_true", help="first put back the jobs that failed"
    )


COMMAND = Command(run=_run, arguments=_arguments)
