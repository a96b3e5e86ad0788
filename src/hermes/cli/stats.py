"""`hermes stats`: what there is, what waits, and what background work costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.cli.command import Call, Command

if TYPE_CHECKING:
    from hermes.app.jobs import QueueReport
    from hermes.app.stats import Stats
    from hermes.records.job import Job

_COLUMNS = ["job", "about", "state", "since", "said"]


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
    call.out.line(f"runs still to be learned from: {queue.outbox}; workers: {queue.workers}")
    if queue.jobs:
        call.out.table(_COLUMNS, [_row(job) for job in queue.jobs], empty="")
    if queue.failed:
        call.out.line("failed; `hermes worker --retry-failed` tries them again:")
        call.out.table(_COLUMNS, [_row(job) for job in queue.failed], empty="")


def _row(job: Job) -> list[object]:
    since = f"{job.created_at:%Y-%m-%d %H:%M}"
    return [job.name, job.subject, str(job.state), since, job.said]


def _figures(stats: Stats) -> dict[str, int]:
    from dataclasses import asdict

    return {name: int(value) for name, value in asdict(stats).items()}


def _as_json(stats: Stats, queue: QueueReport) -> dict[str, object]:
    return {
        **_figures(stats),
        "queue": {
            "outbox": queue.outbox,
            "workers": queue.workers,
            "jobs": [_job_json(job) for job in queue.jobs],
            "failed": [_job_json(job) for job in queue.failed],
        },
    }


def _job_json(job: Job) -> dict[str, object]:
    return {
        "id": job.id,
        "name": job.name,
        "subject": job.subject,
        "state": str(job.state),
        "said": job.said,
        "created_at": job.created_at.isoformat(),
        "attempts": job.attempts,
    }


COMMAND = Command(run=_run, json=True)
