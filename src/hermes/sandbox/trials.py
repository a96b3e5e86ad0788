"""Runs what a skill brings with it: a fresh copy of its folder and a fresh sandbox for each trial.

The copy is made from bytes in memory, so a trial has no way to the live skills. It runs with the
copy as its current folder, which is where a test finds what lies beside it.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from hermes.errors import Refused
from hermes.ports import Sandbox
from hermes.records.folder import Folder
from hermes.records.sandbox import SKILLS_TARGET, KilledBy, Limits, SandboxPolicy
from hermes.records.trial import Trial, TrialKind, TrialOutcome, TrialResult
from hermes.rules.trials import judge, own_modules

_RUNNER = Path(__file__).with_name("function_runner.py")


class SandboxTrials:
    """Satisfies ports.Trials. `limits` are those of one trial."""

    def __init__(self, sandbox: Sandbox, limits: Limits) -> None:
        self._sandbox = sandbox
        self._limits = limits

    def environment(self) -> tuple[str, ...]:
        """Bubblewrap shows our own Python; a container brings one that we know nothing of."""
        backend = self._sandbox.name
        if backend == "bubblewrap":
            return backend, f"python {platform.python_version()}"
        return (backend,)

    def run(
        self, name: str, folder: Folder, trials: Sequence[Trial], *, within: float | None = None
    ) -> list[TrialResult]:
        if not name or "/" in name or name in (".", ".."):
            raise Refused(f"{name!r} cannot be the name of a folder")
        started = time.monotonic()
        results = []
        for trial in trials:
            left = None if within is None else within - (time.monotonic() - started)
            results.append(self._try(name, folder, trial, left))
        return results

    def _try(self, name: str, folder: Folder, trial: Trial, left: float | None) -> TrialResult:
        if left is not None and left <= 0:
            return _cut_off(trial)
        limits = self._limits
        if left is not None and left < limits.seconds:
            limits = replace(limits, seconds=left)
        with self._sandbox.scratch() as place:
            write(folder, os.path.join(place.skills, name))
            policy = SandboxPolicy.trial(skills=place.skills, data=place.data, limits=limits)
            stdin = trial.program.encode("utf-8", "surrogatepass")
            result = self._sandbox.run(
                command(trial), policy, stdin=stdin, cwd=f"{SKILLS_TARGET}/{name}"
            )
        if result.killed_by is KilledBy.TIME and limits.seconds < self._limits.seconds:
            return _cut_off(trial, result.seconds)
        return judge(trial, result, limits, own_modules(folder))


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
