"""Runs a program on a fresh folder of files and takes over what it wrote there.

The program is one that nobody has approved, so what it left behind is only looked at when all of
it is dead, without following a link, and no more of it than fits.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from hermes.errors import Refused
from hermes.ids import content_hash
from hermes.ports import Sandbox
from hermes.records.replay import ReplayRun
from hermes.records.sandbox import (
    DATA_TARGET,
    MEBIBYTE,
    Limits,
    NetworkGrant,
    SandboxPolicy,
    SandboxResult,
    Scratch,
    ViolationKind,
)
from hermes.records.trial import Trial, TrialKind, TrialOutcome
from hermes.rules.trial_answers import Surroundings, judge
from hermes.sandbox.collecting import Collected, collect
from hermes.sandbox.dependencies import Environments, distribution_of
from hermes.sandbox.trials import command

_TRIAL = "replay"
_MOST_KEPT = 64 * MEBIBYTE  # of files, in memory


class SandboxReplays:
    """Satisfies ports.Replays. `limits` are those of one run.

    `network` is for a skill that a person runs and has granted it; a replay never has any.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        limits: Limits,
        packages: Environments,
        network: NetworkGrant | None = None,
    ) -> None:
        self._sandbox = sandbox
        self._limits = limits
        self._packages = packages
        self._network = network

    def run(
        self, program: str, files: Mapping[str, bytes], *, requirements: Sequence[str] = ()
    ) -> ReplayRun:
        try:
            packages = self._packages.find(requirements) if requirements else None
        except Refused as error:  # a requirement that nobody would install
            return ReplayRun(outcome=TrialOutcome.NOT_RUN, error=error.message)
        trial = Trial(name=_TRIAL, kind=TrialKind.TEMPLATE, program=program)
        with self._sandbox.scratch() as place:
            lay_out(files, place.data)
            policy = self._policy(place, packages)
            result = self._sandbox.run(
                command(trial), policy, stdin=program.encode(), cwd=DATA_TARGET
            )
            left = collect(place.data, _hashes(files), _MOST_KEPT)
        around = Surroundings(
            limits=self._limits,
            modules=(),
            package_of=distribution_of,
            declared=tuple(requirements),
            installed=packages is not None,
        )
        return _answer(trial, result, around, left)

    def _policy(self, place: Scratch, packages: str | None) -> SandboxPolicy:
        skills, data, limits = place.skills, place.data, self._limits
        if self._network is None:
            return SandboxPolicy.trial(skills=skills, data=data, packages=packages, limits=limits)
        return SandboxPolicy.running(
            skills=skills, data=data, packages=packages, limits=limits, network=self._network
        )


def lay_out(files: Mapping[str, bytes], place: str) -> None:
    """Write the files below a folder; raises Refused for a path that leads elsewhere."""
    for path, data in files.items():
        if path.startswith("/") or ".." in Path(path).parts or "\0" in path or not path.strip("./"):
            raise Refused(f"{path!r} is no place inside the working folder")
        target = Path(place, path)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            if data.startswith(b"#!"):
                target.chmod(0o755)  # a script; its bytes are kept, its mode is not
        except (NotADirectoryError, IsADirectoryError, FileExistsError) as error:
            raise Refused(f"{path!r} is a file and a folder at once") from error


def _hashes(files: Mapping[str, bytes]) -> dict[str, str]:
    return {os.path.normpath(path): content_hash(data) for path, data in files.items()}


def _answer(
    trial: Trial, result: SandboxResult, around: Surroundings, left: Collected
) -> ReplayRun:
    judged = judge(trial, result, around)
    return ReplayRun(
        outcome=judged.outcome,
        error=judged.error,
        exit_code=result.exit_code,
        stdout=result.stdout_text,
        stderr=result.stderr_text,
        files=left.files,
        unkept=left.unkept,
        reached_out=any(one.kind is ViolationKind.NETWORK for one in result.violations),
        stopped=result.killed_by is not None or result.stdout_truncated,
        seconds=result.seconds,
    )
