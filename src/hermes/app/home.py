"""An open home, and how its parts are joined."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app.database import open_store
from hermes.ids import now

if TYPE_CHECKING:
    from hermes.agent.ownership import Ownership
    from hermes.library.disk import DiskLibrary
    from hermes.library.filesystem import Files
    from hermes.library.index import Index
    from hermes.library.reader import Notice, Reader
    from hermes.loop import Loop
    from hermes.memory.agreed_embedder import AgreedEmbedder
    from hermes.ports import (
        Checker,
        Clock,
        HealthChecks,
        Library,
        Listing,
        Sessions,
        Trials,
    )
    from hermes.settings import Settings
    from hermes.stages.promote.ledger import Ledger
    from hermes.stages.refine.health import HealthRound
    from hermes.store.database import Database


_HOME_ID = "home-id"


class _SystemClock:
    def now(self) -> datetime:
        return now()


def system_clock() -> Clock:
    return _SystemClock()


class Home:
    """An open home: the settings it was opened with, its database, its gate, its reader.

    Each part is made when it is first asked for. A command that lists what it finds unchanged
    never pays for the gate. A test hands in a database or files that fail.
    """

    def __init__(
        self, settings: Settings, database: Database | None = None, files: Files | None = None
    ) -> None:
        self.settings = settings
        self.database = database or open_store(settings)
        self._files = files

    def __enter__(self) -> Home:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.database.close()
        if "_index" in vars(self):  # made only when something was read
            self._index.close()
        if "ownership" in vars(self):
            self.ownership.close()

    @cached_property
    def ledger(self) -> Ledger:
        return _ledger(self.database)

    @cached_property
    def listing(self) -> Listing:
        from hermes.store.tables.listing import ListingTable

        return ListingTable(self.database)

    @cached_property
    def sessions(self) -> Sessions:
        from hermes.store.tables.session import SessionTable

        return SessionTable(self.database)

    @cached_property
    def loop(self) -> Loop:
        return _loop(self.settings, self.ledger, self._library, self._checkers, self._agent_open)

    @cached_property
    def _checkers(self) -> tuple[Checker, ...]:
        from hermes.app.validating import gate_checkers, sources_check
        from hermes.library.format import AgentSkillFormat

        return gate_checkers(
            self.settings,
            AgentSkillFormat(),
            self.ledger.versions,
            lambda: self.trials,
            lambda: sources_check(self.database),
            lambda: self._proof,
        )

    @cached_property
    def _proof(self) -> Checker:
        from hermes.app.replaying import leave_one_out

        return leave_one_out(self.settings, self.database, lambda: self.trials)

    @cached_property
    def embedder(self) -> AgreedEmbedder | None:
        """One for memories and skills, so that it is loaded once and an outage is told once."""
        from hermes.app.embedding import agreed_embedder

        return agreed_embedder(self.settings, self.database, os_user(), system_clock())

    @cached_property
    def ownership(self) -> Ownership:
        """Whose runs are open, and whether their processes still live."""
        from hermes.agent.ownership import Ownership
        from hermes.library.home_id import home_id

        data = self.settings.paths.data_dir
        return Ownership(data / "runs", home_id(data / _HOME_ID))

    @cached_property
    def health_checks(self) -> HealthChecks:
        from hermes.store.tables.health_check import HealthCheckTable

        return HealthCheckTable(self.database)

    @cached_property
    def trials(self) -> Trials:
        from hermes.app.sandbox import sandbox_trials

        return sandbox_trials(self.settings, self.ledger.events)

    @cached_property
    def health(self) -> HealthRound:
        from hermes.app.sandbox import health_round

        return health_round(self.database, self.loop, self.health_checks, self.trials)

    @cached_property
    def reader(self) -> Reader:
        return _reader(self.settings, self.database, self._index, lambda new: self.loop.notice(new))

    @cached_property
    def _index(self) -> Index:
        from hermes.library.index import Index

        return Index(self.settings.paths.data_dir / "index.db")

    @cached_property
    def _library(self) -> DiskLibrary:
        from hermes.library.disk import DiskLibrary

        paths = self.settings.paths
        return DiskLibrary(paths.skills_dir, paths.data_dir, self._index, self._files)

    def _agent_open(self) -> bool:
        from hermes.store.tables.trajectory import TrajectoryTable

        return TrajectoryTable(self.database).any_open()


def open_home(
    settings: Settings, database: Database | None = None, files: Files | None = None
) -> Home:
    """Open the store, finish what a dead process left half done, and be ready to read."""
    from hermes.library.home_id import home_id
    from hermes.library.slots import any_leftover
    from hermes.store.tables.journal import JournalTable

    paths = settings.paths
    home = Home(settings, database, files)
    unfinished = JournalTable(home.database).pending(home_id(paths.data_dir / _HOME_ID))
    if unfinished or any_leftover(paths.skills_dir, paths.data_dir):
        home.loop.recover()
    return home


def _reader(settings: Settings, database: Database, index: Index, notice: Notice) -> Reader:
    from hermes.library.adoption import Adoption
    from hermes.library.reader import Reader
    from hermes.store.tables.skill import SkillTable
    from hermes.store.tables.version import VersionTable

    data = settings.paths.data_dir
    return Reader(
        settings.paths.skills_dir,
        [Path(folder) for folder in settings.skills.external_dirs],
        index,
        SkillTable(database),
        VersionTable(database),
        notice,
        Adoption(data / _HOME_ID, data / "adopted"),
    )


def _loop(
    settings: Settings,
    ledger: Ledger,
    library: Library,
    checkers: tuple[Checker, ...],
    agent_open: Callable[[], bool],
) -> Loop:
    from hermes.library.format import AgentSkillFormat
    from hermes.library.home_id import home_id
    from hermes.loop import Loop
    from hermes.rules.admission import Policy
    from hermes.stages.promote.journalled import Desk

    desk = Desk(ledger, library, home_id(settings.paths.data_dir / _HOME_ID), _SystemClock())
    return Loop(
        desk=desk,
        checkers=checkers,
        skill_format=AgentSkillFormat(),
        policy=Policy(settings.promote.policy),
        min_examples=settings.promote.min_examples,
        agent_open=agent_open,
        os_user=os_user(),
    )


def _ledger(database: Database) -> Ledger:
    from hermes.stages.promote.ledger import Ledger
    from hermes.store.tables.candidate import CandidateTable
    from hermes.store.tables.change import ChangeTable
    from hermes.store.tables.event import EventTable
    from hermes.store.tables.example import ExampleTable
    from hermes.store.tables.grant import GrantTable
    from hermes.store.tables.journal import JournalTable
    from hermes.store.tables.release import ReleaseTable
    from hermes.store.tables.skill import SkillTable
    from hermes.store.tables.verdict import VerdictTable
    from hermes.store.tables.version import VersionTable

    return Ledger(
        transactions=database,
        skills=SkillTable(database),
        versions=VersionTable(database),
        candidates=CandidateTable(database),
        verdicts=VerdictTable(database),
        releases=ReleaseTable(database),
        changes=ChangeTable(database),
        grants=GrantTable(database),
        events=EventTable(database),
        examples=ExampleTable(database),
        journal=JournalTable(database),
    )


def os_user() -> str:
    """Who the system says we are; a number where it has no name for us."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid {os.getuid()}"
