"""Skills are tried side by side, each as soon as a worker is free."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import NamedTuple

from hermes.ports import Trials, Versions
from hermes.records.health import HealthCheck
from hermes.records.skill import Skill
from hermes.records.trial import Trial, TrialResult
from hermes.records.version import Version
from hermes.rules.trials import is_test, own_tests, template_of

WORKERS = 2  # a trial mostly computes, and the machine has other work
Results = Sequence[TrialResult]


class Subject(NamedTuple):
    """A skill, its live version, the last check of that very version, the packages it wants."""

    skill: Skill
    version: Version
    last: HealthCheck | None
    requirements: tuple[str, ...] = ()

    @property
    def can_be_tried(self) -> bool:
        has_test = any(is_test(file.path) for file in self.version.files)
        return has_test or self.skill.code_template is not None


@dataclass(frozen=True, slots=True)
class TryOut:
    """Only the thread that asks for results uses the store; the workers only run trials."""

    versions: Versions
    trials: Trials

    def results(
        self, subjects: Sequence[Subject], deadline: float | None
    ) -> Iterator[tuple[Subject, Results]]:
        """Each as it is done; none is begun after the deadline, and none outlasts it.

        The bytes of a version are read when its turn comes, not before.
        """
        running: dict[Future[Results], Subject] = {}
        pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="hermes-health")
        try:
            for subject in subjects:
                if deadline is not None and time.monotonic() >= deadline:
                    break
                running[pool.submit(self._job(subject), deadline)] = subject
                if len(running) == WORKERS:
                    yield from _done(running)
            while running:
                yield from _done(running)
        finally:
            pool.shutdown(cancel_futures=True)

    def _job(self, subject: Subject) -> Callable[[float | None], Results]:
        folder = self.versions.folder(subject.version)
        template = template_of(subject.skill)
        known = [template] if isinstance(template, TrialResult) else []
        to_run = [*own_tests(folder), *([template] if isinstance(template, Trial) else [])]

        def run(deadline: float | None) -> Results:
            results = self.trials.run(
                subject.skill.name,
                folder,
                to_run,
                requirements=subject.requirements,
                within=None if deadline is None else deadline - time.monotonic(),
            )
            return [*known, *results]

        return run


def _done(running: dict[Future[Results], Subject]) -> Iterator[tuple[Subject, Results]]:
    """Wait for at least one, and take out all that have ended; a trial's error is raised here."""
    ended, _ = wait(running, return_when=FIRST_COMPLETED)
    for future in ended:
        yield running.pop(future), future.result()
