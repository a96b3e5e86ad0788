"""`hermes correct`: a person says what should have happened. Guardrails are made of such words."""

from __future__ import annotations

from argparse import ArgumentParser

from hermes.app import open_home
from hermes.cli import picking
from hermes.cli.arguments import id_argument
from hermes.cli.command import Call, Command
from hermes.cli.identity import approval, optional_by_option


def run(call: Call) -> None:
    from hermes.app.learning import give_feedback, observing

    with open_home(call.settings) as home:
        trajectory = picking.trajectory(observing(home).trajectories, call.args.id)
        said = approval(call.args.by, agent_session_open=home.loop.agent_open())
        given = give_feedback(home, trajectory, said, correction=call.args.correction)
    if call.json:
        call.out.json({"feedback": given.feedback, "observation": given.observation})
        return
    call.out.line(f"the correction of {trajectory.id} by {said.by} is kept")
    if given.observation is None:
        call.out.note("note: it has not ended yet; the correction counts when it has")


def _arguments(parser: ArgumentParser) -> None:
    id_argument(parser)
    parser.add_argument("correction", metavar="TEXT", help="what should have happened")
    optional_by_option(parser)


COMMAND = Command(run=run, arguments=_arguments, json=True)
