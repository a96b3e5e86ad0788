"""Turns live skills into HealthChecks: the tests and the template of each, run in the sandbox.

Reads: skills, the bytes of their live versions, uses, earlier checks. Writes: a HealthCheck for
each answer; a skill that fails is deprecated, and live again once it passes; an event for each of
these moves. Never: runs anything on the host, or deprecates what could not be run.
Safe to repeat: a round adds to the history, and the state follows the newest answer.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hermes.errors import Conflict, MissingPart, Refused
from hermes.ids import new_id
from hermes.ports import Clock, Events, HealthChecks, Transactions, Trials, Uses, Versions
from hermes.records.health import HealthCheck, HealthOutcome, HealthReport, SkillHealth
from hermes.records.skill import Skill
from hermes.rules.health import NO_TESTS, Diagnosis, diagnose
from hermes.rules.health_order import Standing, changed_part, in_order
from hermes.rules.requirements import declared
from hermes.stages.refine.following import Follow
from hermes.stages.refine.trying import Subject, TryOut

Progress = Callable[[str, int, int], None]
"""Told (skill, how many are done, how many there are)."""

_log = logging.getLogger("hermes.health")
_DAY = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthRound:
    """One look at the health of some skills."""

    transactions: Transactions
    versions: Versions
    uses: Uses
    checks: HealthChecks
    events: Events
    trials: Trials
    clock: Clock
    follow: Follow

    def run(
        self, skills: Sequence[Skill], budget: float | None, progress: Progress
    ) -> HealthReport:
        """Check the live ones of these, as many as `budget` seconds allow, the most urgent first.

        Raises SandboxUnavailable, with nothing deprecated, where nothing can be run in isolation.
        """
        deadline = None if budget is None else time.monotonic() + budget
        subjects = self._subjects(skills)
        with self.transactions.transaction():
            untested = [self._untested(one) for one in subjects if not one.can_be_tried]
        triable = [self._prepared(one) for one in subjects if one.can_be_tried]
        for one in triable:
            self._provide(one, deadline)
        tried = list(self._tried(triable, deadline, progress)) if triable else []
        reached = {one.name for one in tried}
        report = HealthReport(
            skills=(*tried, *untested),
            not_reached=tuple(one.skill.name for one in triable if one.skill.name not in reached),
        )
        counts = (len(report.skills), len(report.deprecated()))
        _log.info("Health check complete: %d skills, %d deprecated", *counts)
        return report

    def install(self, skill: Skill, approved_by: str) -> tuple[str, ...]:
        """Fetch the packages that a live skill declares, so that its trials have them; pinned.

        Empty where it declares none. Raises Refused where they cannot be had.
        """
        for subject in map(self._prepared, self._subjects([skill])):
            if subject.requirements:
                pins = self.trials.install(subject.requirements, approved_by=approved_by)
                self.events.append(
                    "packages.installed",
                    actor=approved_by,
                    subject_id=skill.id,
                    skill_id=skill.id,
                    data={"packages": list(pins)},
                )
                return pins
        return ()

    def _prepared(self, subject: Subject) -> Subject:
        folder = self.versions.folder(subject.version)
        return subject._replace(requirements=declared(folder, subject.skill.dependencies))

    def _provide(self, subject: Subject, deadline: float | None) -> None:
        """What the operator's list allows is fetched unasked; its trials say what is missing."""
        if deadline is not None and time.monotonic() >= deadline:
            return
        skill = subject.skill
        try:
            self.trials.provide(skill.name, subject.requirements, skill_id=skill.id)
        except (Refused, MissingPart) as error:
            _log.warning("Skill '%s' does not have its packages: %s", skill.name, error)

    def _subjects(self, skills: Sequence[Skill]) -> list[Subject]:
        last = {check.version_id: check for check in self.checks.last_of_each()}
        subjects = []
        for skill in skills:
            version = self.versions.get(skill.active_version_id or "")
            if version is not None:
                subjects.append(Subject(skill, version, last.get(version.id)))
        return subjects

    def _untested(self, subject: Subject) -> SkillHealth:
        """Written down once for a version: that still nothing can be run is not history."""
        check = subject.last
        if check is None or check.error != NO_TESTS:
            check = self._check(subject, Diagnosis(HealthOutcome.UNTESTED, NO_TESTS, ()))
            self.checks.add(check)
        return SkillHealth(name=subject.skill.name, state=subject.skill.state, check=check)

    def _tried(
        self, subjects: Sequence[Subject], deadline: float | None, progress: Progress
    ) -> Iterator[SkillHealth]:
        ran_with = {one.skill.id: self.trials.environment(one.requirements) for one in subjects}
        ordered = self._in_order(subjects, ran_with)
        try_out = TryOut(self.versions, self.trials)
        for number, (subject, results) in enumerate(try_out.results(ordered, deadline), start=1):
            found = diagnose(results)
            if found is not None:
                seconds = sum(one.seconds for one in results)
                check = self._check(subject, found, ran_with[subject.skill.id], seconds)
                yield from self._followed(subject, check)
            progress(subject.skill.name, number, len(subjects))

    def _in_order(
        self, subjects: Sequence[Subject], ran_with: Mapping[str, tuple[str, ...]]
    ) -> list[Subject]:
        shares, now = self.uses.success_shares(), self.clock.now()
        standings = {}
        for skill, _, last, _ in subjects:
            days = (now - last.checked_at).total_seconds() / _DAY if last else None
            before = last.environment if last else ()
            standings[skill.name] = Standing(
                pinned=skill.pinned,
                success_share=shares.get(skill.id, 0.0),
                usage_count=skill.usage_count,
                days=days,
                changed=changed_part(before, ran_with[skill.id]),
            )
        by_name = {subject.skill.name: subject for subject in subjects}
        return [by_name[name] for name in in_order(standings)]

    def _followed(self, subject: Subject, check: HealthCheck) -> Iterator[SkillHealth]:
        """Nothing where somebody is writing the skill just now: its turn comes again."""
        try:
            skill = self.follow(subject.skill.name, check)
        except Conflict as conflict:
            _log.info("Skill '%s' was not checked: %s", subject.skill.name, conflict.message)
            return
        if check.status is HealthOutcome.FAILING:
            _log.warning("Skill '%s' health check failed: %s", skill.name, check.error)
        yield SkillHealth(name=skill.name, state=skill.state, check=check)

    def _check(
        self,
        subject: Subject,
        found: Diagnosis,
        ran_with: tuple[str, ...] = (),
        seconds: float = 0.0,
    ) -> HealthCheck:
        return HealthCheck(
            id=new_id("health"),
            skill_id=subject.skill.id,
            version_id=subject.version.id,
            status=found.status,
            error=found.error,
            ran=found.ran,
            environment=ran_with,
            seconds=seconds,
            checked_at=self.clock.now(),
        )
