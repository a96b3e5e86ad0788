"""`hermes rate`: a person says how well something was done. It is the strongest word there is."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError

from hermes.app import open_home
from hermes.cli import picking
from hermes.cli.arguments import id_argument
from hermes.cli.command import Call, Command
from hermes.cli.identity import approval, optional_by_option

_WORDS = {"up": 5, "down": 1}


def run(call: Call) -> None:
    from hermes.app.learning import give_feedback, observing

    with open_home(call.settings) as home:
        trajectory = picking.trajectory(observing(home).trajectories, call.args.id)
        said = approval(call.args.by, agent_session_open=home.loop.agent_open())
        given = give_feedback(home, trajectory, said, rating=call.args.rating)
    if call.json:
        call.out.json({"feedback": given.feedback, "observation": given.observation})
        return
    call.out.line(f"{trajectory.id} is rated {call.args.rating} of 5 by {said.by}")
    if given.observation is None:
        call.out.note("note: it has not ended yet; the rating counts when it has")


def _rating(text: str) -> int:
    rating = _WORDS.get(text.lower(), int(text) if text in ("1", "2", "3", "4", "5") else 0)
    if not rating:
        raise ArgumentTypeError(f"expected up, down or a number from 1 to 5, found {text!r}")
    return rating


def _arguments(parser: ArgumentParser) -> None:
    id_argument(parser)
    parser.add_argument("rating", type=_rating, metavar="up|down|1..5", help="5 is up, 1 is down")
    optional_by_option(parser)


COMMAND = Command(run=run, arguments=_arguments, json=True)
