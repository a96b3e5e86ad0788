"""Runs what a skill brings with it: a fresh copy of its folder and a fresh sandbox for each trial.

The copy is made from bytes in memory, so a trial has no way to the live skills. It runs with the
copy as its current folder, which is where a test finds what lies beside it.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from hermes.errors import Refused
from hermes.ports import Events, Sandbox
from hermes.records.folder import Folder
from hermes.records.sandbox import SKILLS_TARGET, KilledBy, Limits, SandboxPolicy
from hermes.records.trial import Trial, TrialKind, TrialOutcome, TrialResult
from hermes.rules.trial_answers import Surroundings, judge
from hermes.rules.trials import own_modules
from hermes.sandbox.dependencies import BY_POLICY, Environments, distribution_of

_RUNNER = Path(__file__).with_name("function_runner.py")


class SandboxTrials:
    """Satisfies ports.Trials. `limits` are those of one trial.

    `events` is where packages that the list lets in are written down; without it none are fetched.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        limits: Limits,
        packages: Environments,
        events: Events | None = None,
    ) -> None:
        self._sandbox = sandbox
        self._limits = limits
        self._packages = packages
        self._events = events

    def environment(self, requirements: Sequence[str]) -> tuple[str, ...]:
        """Bubblewrap shows our own Python; a container brings one that we know nothing of."""
        backend = self._sandbox.name
        python = (f"python {platform.python_version()}",) if backend == "bubblewrap" else ()
        return (backend, *python, *(self._installed(requirements) or requirements))

    def install(self, requirements: Sequence[str], *, approved_by: str) -> tuple[str, ...]:
        if not (installed := self._installed(requirements)):
            self._packages.build(self._packages.plan(requirements), approved_by=approved_by)
            installed = self._installed(requirements)
        return installed

    def provide(
        self, name: str, requirements: Sequence[str], *, skill_id: str | None = None
    ) -> tuple[str, ...]:
        if not requirements or self._events is None or self._installed(requirements):
            return ()
        if not self._packages.allows(requirements):
            return ()
        self._packages.build(self._packages.plan(requirements))
        pins = self._installed(requirements)
        self._events.append(
            "packages.installed",
            actor=BY_POLICY,
            subject_id=skill_id or name,
            skill_id=skill_id,
            data={"packages": list(pins), "skill": name},
        )
        return pins

    def run(
        self,
        name: str,
        folder: Folder,
        trials: Sequence[Trial],
        *,
        requirements: Sequence[str] = (),
        within: float | None = None,
    ) -> list[TrialResult]:
        if not name or "/" in name or name in (".", ".."):
            raise Refused(f"{name!r} cannot be the name of a folder")
        deadline = None if within is None else time.monotonic() + within
        try:
            packages = self._packages.find(requirements) if requirements else None
        except Refused as error:  # a requirement that nobody would install
            return [_not_run(trial, error.message) for trial in trials]
        around = Surroundings(
            limits=self._limits,
            modules=own_modules(folder),
            package_of=distribution_of,
            declared=tuple(requirements),
            installed=packages is not None,
        )
        ground = _Ground(name, folder, packages)
        return [self._try(trial, ground, around, deadline) for trial in trials]

    def _try(
        self, trial: Trial, ground: _Ground, around: Surroundings, deadline: float | None
    ) -> TrialResult:
        limits = self._limits
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0:
                return _cut_off(trial)
            limits = replace(limits, seconds=min(left, limits.seconds))
        with self._sandbox.scratch() as place:
            write(ground.folder, os.path.join(place.skills, ground.name))
            policy = SandboxPolicy.trial(
                skills=place.skills, data=place.data, packages=ground.packages, limits=limits
            )
            result = self._sandbox.run(
                command(trial),
                policy,
                stdin=trial.program.encode(),
                cwd=f"{SKILLS_TARGET}/{ground.name}",
            )
        if result.killed_by is KilledBy.TIME and limits.seconds < self._limits.seconds:
            return _cut_off(trial, result.seconds)
        return judge(trial, result, around)

    def _installed(self, requirements: Sequence[str]) -> tuple[str, ...]:
        """The packages that are there for these, pinned; empty where they were never fetched."""
        try:
            lock = self._packages.lock_of(requirements) if requirements else None
        except Refused:  # as they stand they can never be fetched; a run says which and why
            return ()
        return tuple(f"{pin.name}=={pin.version}" for pin in lock.pins) if lock else ()


@dataclass(frozen=True, slots=True)
class _Ground:
    """What every trial of a skill starts from."""

    name: str
    folder: Folder
    packages: str | None


def command(trial: Trial) -> list[str]:
    """How a trial is called. A template comes by stdin: it is in no file that it could read."""
    return {
        TrialKind.SCRIPT: ["python3", trial.name],
        TrialKind.FUNCTIONS: ["python3", "-c", _runner(), trial.name],
        TrialKind.SHELL: ["bash", trial.name],
        TrialKind.TEMPLATE: ["python3", "-"],
    }[trial.kind]


def write(folder: Folder, place: str) -> None:
    """The folder on disk, as it would be installed."""
    for path, file in folder.files.items():
        target = Path(place, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)
        target.chmod(0o755 if file.executable else 0o644)


def _not_run(trial: Trial, error: str) -> TrialResult:
    return TrialResult(name=trial.name, outcome=TrialOutcome.NOT_RUN, error=error)


def _cut_off(trial: Trial, seconds: float = 0.0) -> TrialResult:
    return TrialResult(
        name=trial.name,
        outcome=TrialOutcome.CUT_OFF,
        error="no time was left for it",
        seconds=seconds,
    )


@cache
def _runner() -> str:
    return _RUNNER.read_text(encoding="utf-8")
