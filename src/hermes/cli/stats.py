"""`hermes stats`: what there is, what waits, and what background work costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli.command import Call, Command

if TYPE_CHECKING:
    from hermes.app.jobs import QueueReport
    from hermes.app.stats import Stats


def _run(call: Call) -> None:
    from hermes.app.jobs import queue_report
    from hermes.app.stats import stats_of

    with open_home(call.settings) as home:
        stats, queue = stats_of(home), queue_report(home)
    if call.json:
        call.out.json(_as_json(stats, queue))
        return
    rows = [[name.replace("_", " "), value] for name, value in _figures(stats).items()]
    call.out.table(["what", "how many"], rows, empty="nothing yet")
    call.out.line(
        f"queue: {queue.outbox} ended runs not taken up yet, {queue.workers} workers at work"
    )
    if queue.jobs:
        call.out.table(
            ["job", "about", "state", "since", "said"],
            [
                [
                    job.name,
                    job.subject,
                    str(job.state),
                    f"{job.created_at:%Y-%m-%d %H:%M}",
                    job.said,
                ]
                for job in queue.jobs
            ],
            empty="no jobs yet",
        )


def _figures(stats: Stats) -> dict[str, int]:
    from dataclasses import asdict

    return {name: int(value) for name, value in asdict(stats).items()}


def _as_json(stats: Stats, queue: QueueReport) -> dict[str, object]:
    return {
        **_figures(stats),
        "queue": {
            "outbox": queue.outbox,
            "workers": queue.workers,
            "jobs": [
                {
                    "id": job.id,
                    "name": job.name,
                    "subject": job.subject,
                    "state": str(job.state),
                    "said": job.said,
                    "created_at": job.created_at.isoformat(),
                    "attempts": job.attempts,
                }
                for job in queue.jobs
            ],
        },
    }


COMMAND = Command(run=_run, json=True)
