"""`hermes run`: one task for the agent, for scripts and cron. The exit code says how it went."""

from __future__ import annotations

import signal
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli.command import Call, Command
from hermes.cli.exits import DONE, FAILED, UsageError
from hermes.errors import HermesError
from hermes.records.turn import TurnEnd

if TYPE_CHECKING:
    from hermes.records.tool_answer import ToolAnswer
    from hermes.records.turn import Turn

_SHOWN = 200


class Nobody:
    """A script cannot be asked; what would need a person is denied."""

    def allows(self, question: str) -> bool | None:
        return None


class Progress:
    """What is done meanwhile, on stderr; the answer alone goes to stdout."""

    def __init__(self, call: Call) -> None:
        self._note = call.out.note

    def text(self, piece: str) -> None:
        """The whole answer is printed at the end."""

    def thought(self, piece: str) -> None:
        """Thoughts are in the record."""

    def calling(self, tool: str, line: str) -> None:
        self._note(f"· {line[:_SHOWN]}")

    def called(self, tool: str, answer: ToolAnswer) -> None:
        if answer.failed:
            first, *_ = answer.text.strip().splitlines() or ["it said nothing"]
            self._note(f"  failed: {first[:_SHOWN]}")

    def note(self, line: str) -> None:
        self._note(line)


def _run(call: Call) -> int:
    from hermes.app.agent import AgentOptions, Request, close_dead_runs, open_agent
    from hermes.app.jobs import detach_worker
    from hermes.app.working import given_inputs, verifier_of

    text = _task(call)
    project = Path.cwd()
    with open_home(call.settings) as home, _ending_as_by_ctrl_c():
        close_dead_runs(home)
        options = AgentOptions(
            project=project,
            model=call.args.model,
            max_steps=call.args.max_steps,
            learning=not call.args.no_learning,
        )
        session = open_agent(home, options, Nobody())
        try:
            request = Request(
                text=text,
                fresh=True,
                inputs=given_inputs(home, project, call.args.input),
                verifier=verifier_of(home, project, call.args.verify, call.args.expect),
            )
            turn = session.ask(request, Progress(call))
        finally:
            session.close()
        code = _tell(call, turn)
        try:
            detach_worker(home, call.environ)
        except HermesError as error:  # the exit code says how the task went, and that is known
            call.out.note(f"hermes: {error}")
    return code


def _task(call: Call) -> str:
    steps = call.args.max_steps
    if steps is not None and steps < 1:
        raise UsageError(f"--max-steps {steps} allows nothing", hint="give at least 1")
    try:
        text = sys.stdin.read() if call.args.task == "-" else call.args.task
    except UnicodeDecodeError as error:
        raise UsageError(f"the task on stdin is no text: {error.reason}") from error
    if not text.strip():
        raise UsageError("there is nothing to do", hint="say what: hermes run 'count the lines'")
    return str(text)


@contextmanager
def _ending_as_by_ctrl_c() -> Iterator[None]:
    """Whoever stops a service or a cron job sends SIGTERM; the run is then closed with its reason.

    Where Ctrl-C is ignored or handled by somebody else, SIGTERM stays what it was.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _tell(call: Call, turn: Turn) -> int:
    answered = turn.answer.end is TurnEnd.ANSWERED
    succeeded = answered and turn.verified is not False
    if call.json:
        spent = turn.answer.spent
        call.out.json(
            {
                "trajectory": turn.trajectory_id,
                "session": turn.session_id,
                "end": str(turn.answer.end),
                "answer": turn.answer.text,
                "reason": turn.answer.reason,
                "verified": turn.verified,
                "check": turn.check,
                "succeeded": succeeded,
                "steps": spent.requests,
                "input_tokens": spent.input_tokens,
                "output_tokens": spent.output_tokens,
                "cost_usd": spent.cost_usd,
            }
        )
        return DONE if succeeded else FAILED
    if answered:
        call.out.block(turn.answer.text)
    else:
        call.out.note(f"hermes: {turn.answer.end}: {turn.answer.reason}")
    if turn.check:
        call.out.note(turn.check)
    call.out.note(f"recorded as {turn.trajectory_id}")
    return DONE if succeeded else FAILED


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help="what to do; - reads it from stdin")
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="FILE",
        help="a file the task is about; it is kept with the record",
    )
    parser.add_argument("--verify", metavar="CMD", help="the run succeeded if this command does")
    parser.add_argument(
        "--expect",
        action="append",
        default=[],
        metavar="FILE[=OTHER]",
        help="the run succeeded if it wrote FILE; with =OTHER, if FILE then says the same as OTHER",
    )
    parser.add_argument("--model", metavar="M", help="instead of the configured one")
    parser.add_argument("--max-steps", type=int, metavar="N", help="instead of limits.max_steps")
    parser.add_argument(
        "--no-learning",
        action="store_true",
        help="without skills and memories; the run is recorded, and nothing is learned from it",
    )


COMMAND = Command(run=_run, arguments=_arguments, json=True)
