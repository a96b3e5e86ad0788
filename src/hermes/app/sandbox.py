"""Whatever runs generated code.

Nothing here starts a sandbox by being built: the backend is chosen when somebody first runs
something, so a command that runs nothing neither pays for the choice nor fails over it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.loop import Loop
    from hermes.ports import Events, HealthChecks, Replays, Sandbox, Trials
    from hermes.records.sandbox import Limits, NetworkGrant, SandboxPolicy
    from hermes.sandbox.dependencies import Environments
    from hermes.sandbox.select import BackendFact, Options
    from hermes.settings import Settings
    from hermes.stages.refine.health import HealthRound
    from hermes.store.database import Database


def sandbox_facts(settings: Settings, environ: Mapping[str, str]) -> list[BackendFact]:
    """Every isolating backend, tried for real, the strongest first."""
    from hermes.sandbox.select import survey

    return survey(_options(settings, environ))


def working_sandboxes(
    settings: Settings, environ: Mapping[str, str], docker_image: str | None = None
) -> list[Sandbox]:
    """The isolating backends that work here, strongest first, for whoever compares them."""
    from dataclasses import replace

    from hermes.sandbox.select import working

    options = _options(settings, environ)
    if docker_image is not None:
        options = replace(options, docker_image=docker_image)
    return list(working(options))


def sandbox_trials(settings: Settings, events: Events | None = None) -> Trials:
    """Where skills are tried, within the limits that the settings give.

    `events` is the audit trail for packages that the settings let in; without it none are fetched.
    """
    from hermes.sandbox.trials import SandboxTrials

    return SandboxTrials(*_ground(settings), events)


def sandbox_replays(settings: Settings, network: NetworkGrant | None = None) -> Replays:
    """Where programs run on files, with the walls, limits and packages of a trial.

    `network` is what a person granted a skill that they run; a replay never has any.
    """
    from hermes.sandbox.replays import SandboxReplays

    return SandboxReplays(*_ground(settings), network)


def _ground(settings: Settings) -> tuple[Sandbox, Limits, Environments]:
    """What generated code runs in, within what limits, and where its packages are."""
    from hermes.records.sandbox import MEBIBYTE, Limits
    from hermes.sandbox.dependencies import Environments
    from hermes.sandbox.select import OnFirstUse

    limits = Limits(
        seconds=settings.sandbox.timeout_s,
        cpu_seconds=settings.sandbox.timeout_s,
        memory_bytes=settings.sandbox.memory_mb * MEBIBYTE,
        processes=settings.sandbox.max_processes,
    )
    sandbox = OnFirstUse(_options(settings, os.environ))
    packages = Environments(
        _environments(settings),
        sandbox,
        allowed=settings.sandbox.allowed_packages,
        environment=os.environ,
    )
    return sandbox, limits, packages


def workspace_ground(
    settings: Settings, project: Path
) -> tuple[Sandbox, SandboxPolicy, Sandbox | None]:
    """Where the agent's shell runs, with what policy, and the way around it that a person grants.

    With the backend `none` there are no walls, so there is no way around them either.
    """
    from hermes.app.walls import workspace_policy
    from hermes.sandbox.host import Host
    from hermes.sandbox.select import OnFirstUse

    sandbox = OnFirstUse(_options(settings, os.environ))
    host = None if settings.sandbox.backend == "none" else Host(dict(os.environ))
    return sandbox, workspace_policy(settings, project), host


def package_environments(settings: Settings) -> Environments:
    """Where the packages of skills are."""
    return _ground(settings)[2]


def health_round(
    database: Database, loop: Loop, checks: HealthChecks, trials: Trials
) -> HealthRound:
    """Everything a health check needs; it holds a skill as the gate does, and writes no folder."""
    from hermes.stages.refine.following import Follow
    from hermes.stages.refine.health import HealthRound
    from hermes.store.tables.use import UseTable

    ledger = loop.desk.ledger
    follow = Follow(
        transactions=database,
        skills=ledger.skills,
        checks=checks,
        events=ledger.events,
        hold=loop.holding,
    )
    return HealthRound(
        transactions=database,
        versions=ledger.versions,
        uses=UseTable(database),
        checks=checks,
        events=ledger.events,
        trials=trials,
        clock=loop.desk.clock,
        follow=follow,
    )


def _environments(settings: Settings) -> Path:
    """Where packages for trials are kept; its real path, for a sandbox follows no link."""
    return Path(os.path.realpath(settings.paths.loop_dir), "environments")


def _options(settings: Settings, environ: Mapping[str, str]) -> Options:
    """The environment is for the Docker client; no program in a sandbox sees it."""
    from hermes.app.walls import hidden_folders
    from hermes.sandbox.select import Options

    return Options(
        backend=settings.sandbox.backend,
        docker_image=settings.sandbox.docker_image,
        apparmor_profile=settings.sandbox.apparmor_profile,
        hidden=tuple(str(folder) for folder in hidden_folders(settings.paths)),
        shareable=(str(_environments(settings)),),
        environment=dict(environ),
    )
