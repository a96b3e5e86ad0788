"""`hermes trajectories`: what was done, how it is read, and forgetting it."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import deque
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli import picking
from hermes.cli.arguments import days, id_argument, limit_option
from hermes.cli.command import Call, Command
from hermes.cli.exits import UsageError
from hermes.cli.identity import approval, optional_by_option
from hermes.cli.trajectory_search import SEARCH

if TYPE_CHECKING:
    from hermes.app.learning import Work
    from hermes.records.feedback import Feedback
    from hermes.records.observation import Observation
    from hermes.records.trajectory import Step, Trajectory

_SHOWN = 200  # characters of a step on the screen; `--json` has the whole


def list_(call: Call) -> None:
    from hermes.app.learning import observing

    with open_home(call.settings) as home:
        work = observing(home)
        latest = deque(_all(work, reviews=call.args.reviews), maxlen=call.args.limit)
        if call.json:
            call.out.json([_plain(work, one) for one in latest])
            return
        rows = [_row(work, one) for one in latest]
    call.out.table(
        ("TRAJECTORY", "SINCE", "STATE", "OUTCOME", "CALLS", "VALUE", "TASK"),
        rows,
        empty="nothing was ever recorded or imported",
        cut="TASK",
    )


def _all(work: Work, *, reviews: bool) -> Iterator[Trajectory]:
    """Oldest first; ids sort by time, so pages come in order."""
    after, runs = "", work.trajectories
    while page := (runs.page if reviews else runs.page_of_work)(after, 500):
        yield from page
        after = page[-1].id


def _plain(work: Work, one: Trajectory) -> dict[str, object]:
    task = work.tasks.get(one.task_id)
    observation = work.observations.of_trajectory(one.id)
    return {"trajectory": one, "task": task, "observation": observation}


def _row(work: Work, one: Trajectory) -> tuple[object, ...]:
    task = work.tasks.get(one.task_id)
    seen = work.observations.of_trajectory(one.id)
    return (
        one.id,
        one.started_at,
        str(one.state),
        _outcome(seen),
        one.summary.tool_calls_count if one.summary else None,
        seen.learning_value if seen else None,
        " ".join(task.text.split())[:_SHOWN] if task else None,
    )


def _outcome(seen: Observation | None) -> str:
    if seen is None:
        return "not read yet"
    word = {True: "success", False: "no success", None: "unknown"}[seen.success]
    return word if seen.success is None else f"{word} ({seen.success_source})"


def show(call: Call) -> None:
    from hermes.app.learning import observing
    from hermes.app.settling import uses_in
    from hermes.cli.uses import line

    with open_home(call.settings) as home:
        work = observing(home)
        trajectory = picking.trajectory(work.trajectories, call.args.id)
        task = work.tasks.get(trajectory.task_id)
        steps = work.trajectories.steps(trajectory.id)
        seen = work.observations.of_trajectory(trajectory.id)
        feedback = work.feedbacks.of_trajectory(trajectory.id)
        uses = uses_in(home).of_task(trajectory.task_id)
        used = [line(home.ledger.skill(use.skill_id).name, use) for use in uses]
    if call.json:
        records = {"trajectory": trajectory, "task": task, "steps": steps, "uses": uses}
        call.out.json({**records, "observation": seen, "feedback": feedback})
        return
    call.out.fields(
        [
            ("trajectory", trajectory.id),
            ("task", task.text if task else None),
            ("session", trajectory.session_id),
            ("state", str(trajectory.state)),
            ("model", trajectory.model),
            ("since", trajectory.started_at),
            ("until", trajectory.ended_at),
            ("outcome", _outcome(seen)),
            *_reading(seen),
            ("skills used", "\n".join(used)),
            ("said by people", "\n".join(map(_said, feedback))),
        ]
    )
    call.out.line()
    rows = map(_step_row, steps)
    call.out.table(("STEP", "AT", "TYPE", "TOOL", "WHAT"), rows, "no steps yet", cut="WHAT")


def _reading(seen: Observation | None) -> list[tuple[str, object]]:
    if seen is None:
        return []
    return [
        ("learning value", seen.learning_value),
        ("efficiency", seen.efficiency_score),
        ("new pitfall", seen.error_recovery.pitfall_description),
        ("insights", "\n".join(seen.key_insights)),
    ]


def _said(one: Feedback) -> str:
    parts = [f"{one.rating} of 5" if one.rating is not None else "", one.correction or ""]
    return f"{one.by}: {', '.join(filter(None, parts))}"


def _step_row(step: Step) -> tuple[object, ...]:
    tool = step.metadata.get("tool_name") or step.metadata.get("role")
    what = " ".join(step.content[: 2 * _SHOWN].split())[:_SHOWN]
    return step.step_id, f"{step.timestamp:.1f}s", str(step.type), tool, what


def delete(call: Call) -> None:
    from hermes.app.learning import forget, observing
    from hermes.ids import now

    if (call.args.id is None) == (call.args.older_than is None):
        raise UsageError("delete one by its ID, or many by --older-than 90d", hint="give one")
    with open_home(call.settings) as home:
        work = observing(home)
        if call.args.id is not None:
            chosen = [picking.trajectory(work.trajectories, call.args.id)]
        else:
            limit = now() - timedelta(days=call.args.older_than)
            chosen = [
                one for one in _all(work, reviews=True) if one.ended_at and one.ended_at < limit
            ]
            question = f"Forget {len(chosen)} trajectories that ended before {limit:%Y-%m-%d}?"
            if chosen and not call.args.yes and not call.confirm(question, instead="--yes"):
                call.out.note("nothing was deleted")
                return
        said = approval(call.args.by, agent_session_open=home.loop.agent_open())
        forget(home, chosen, said)
    if call.json:
        call.out.json({"deleted": [one.id for one in chosen]})
    elif call.args.id is not None:
        call.out.line(f"{chosen[0].id} is forgotten; examples made of it stay, redacted")
    else:
        call.out.line(f"{len(chosen)} forgotten; examples made of them stay, redacted")


def _list_arguments(parser: ArgumentParser) -> None:
    limit_option(parser, 50)
    parser.add_argument(
        "--reviews", action="store_true", help="also the background looks back at other runs"
    )


def _delete_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="any unique part of its beginning")
    parser.add_argument(
        "--older-than", type=days, metavar="AGE", help="all that ended so long ago: 90d, 12w"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask before deleting many")
    optional_by_option(parser)


COMMAND = {
    "list": Command(
        run=list_,
        arguments=_list_arguments,
        json=True,
        summary="the last trajectories: what was asked and how it went",
        example="hermes trajectories list --limit 20",
    ),
    "show": Command(
        run=show,
        arguments=id_argument,
        json=True,
        summary="one trajectory: its steps, what was learned of it, what people said",
        example="hermes trajectories show trajectory_0c8xk2",
    ),
    "search": SEARCH,
    "delete": Command(
        run=delete,
        arguments=_delete_arguments,
        json=True,
        summary="forget a trajectory with its steps, or all that are old",
        example="hermes trajectories delete --older-than 90d",
    ),
}
