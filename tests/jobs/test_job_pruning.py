"""What has ended long ago leaves the queue; what failed stays longer, what still waits stays."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hermes.errors import WrongCall
from hermes.ids import now
from hermes.jobs.doing import Handler
from hermes.jobs.drainer import Drainer
from hermes.jobs.looking import retry_failed
from hermes.jobs.pruning import Keep, prune
from hermes.records.job import JobState
from hermes.testing.job_worker import plan
from hermes.testing.job_yard import Yard, opened

LATER = timedelta(days=31)
MUCH_LATER = timedelta(days=91)


def learn(subject: str) -> str:
    if subject == "broken":
        raise WrongCall("nothing can be done about it")
    return "learned"


HANDLERS: dict[str, Handler] = {"learn": learn}


@pytest.fixture
def ended(yard: Yard) -> Yard:
    """Four jobs that were done, one that failed."""
    with opened(yard, HANDLERS) as engine:
        for subject in ("a", "b", "c", "d", "broken"):
            engine.enqueue("learn", subject, key=subject)
            yard.until(engine.idle)
    return yard


def subjects(yard: Yard) -> set[str]:
    return {job.subject for job in yard.jobs()}


def test_what_is_old_goes_and_what_failed_is_kept_for_longer(ended: Yard) -> None:
    assert prune(ended.queue, now(), ()) == 0
    assert prune(ended.queue, now() + LATER, ()) == 4
    assert subjects(ended) == {"broken"}
    assert prune(ended.queue, now() + MUCH_LATER, ()) == 1
    assert ended.jobs() == []


def test_of_too_many_the_newest_stay(ended: Yard) -> None:
    assert prune(ended.queue, now(), (), Keep(done_at_most=1)) == 3
    assert subjects(ended) == {"d", "broken"}


def test_what_was_put_back_is_no_failure_any_more(ended: Yard) -> None:
    assert retry_failed(ended.queue, plan().queue_of) == 1
    assert prune(ended.queue, now() + MUCH_LATER, ()) == 4
    assert [job.state for job in ended.jobs()] == [JobState.WAITING]


def test_a_job_stays_until_its_row_has_left_the_outbox(yard: Yard) -> None:
    """Or its run would wait for ever for a job that is nowhere."""
    yard.end_a_run()
    (waiting,) = yard.outbox.pending()
    with opened(yard, HANDLERS) as engine:
        drainer = Drainer(yard.outbox, engine)
        drainer.drain()
        yard.until(lambda: bool(engine.jobs([JobState.DONE])))
        assert prune(yard.queue, now() + LATER, {waiting.key}) == 0
        assert prune(yard.queue, now(), {waiting.key}, Keep(done_at_most=0)) == 0
        drainer.drain()
        assert yard.outbox.count() == 0
        assert prune(yard.queue, now() + LATER, ()) == 1
