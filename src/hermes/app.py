"""The composition root: builder functions, and the only file that names concrete adapters.

A front door opens a Home and asks here for what it needs. Each builder imports its adapter when
it is called, so a command pays only for what it uses.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.ids import now
from hermes.settings import private_folder

if TYPE_CHECKING:
    from hermes.library.disk import DiskLibrary
    from hermes.library.filesystem import Files
    from hermes.library.index import Index
    from hermes.library.manage import Caller, ManageTool
    from hermes.library.prompt_catalogue import PromptCatalogue
    from hermes.library.reader import Notice, Reader
    from hermes.library.search import SkillSearch
    from hermes.library.views import ViewTools
    from hermes.loop import Loop
    from hermes.ports import Embedder, HealthChecks, Library, Listing, Sessions, Trials
    from hermes.records.reading import Reading
    from hermes.sandbox.select import BackendFact
    from hermes.settings import Settings
    from hermes.stages.promote.ledger import Ledger
    from hermes.stages.refine.health import HealthRound
    from hermes.store.backup import Manifest
    from hermes.store.database import Database
    from hermes.store.transfer import Progress, TableDigest
    from hermes.store.verify import Problem

_HOME_ID = "home-id"


class _SystemClock:
    def now(self) -> datetime:
        return now()


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
        return _loop(
            self.settings, self.ledger, self._library, lambda: self.trials, self._agent_open
        )

    @cached_property
    def health_checks(self) -> HealthChecks:
        from hermes.store.tables.health_check import HealthCheckTable

        return HealthCheckTable(self.database)

    @cached_property
    def trials(self) -> Trials:
        from hermes.app_sandbox import sandbox_trials

        return sandbox_trials(self.settings)

    @cached_property
    def health(self) -> HealthRound:
        from hermes.app_sandbox import health_round

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


def open_store(settings: Settings) -> Database:
    from hermes.store.open import open_database

    return open_database(_address(settings))


def _address(settings: Settings) -> str:
    """Where the database is: a URL, or a file whose folder is there for its owner only."""
    if settings.database_url is not None:
        return settings.database_url.reveal()
    private_folder(settings.paths.database_file.parent)
    return str(settings.paths.database_file)


def store_schema(settings: Settings) -> tuple[int, int]:
    """The schema that the database has, and the one that this version wants; nothing is changed."""
    from hermes.store.migrate import latest
    from hermes.store.open import connect_database

    database = connect_database(_address(settings))
    with closing(database), database.connection() as connection:
        return database.dialect.schema_version(connection), latest()


def store_problems(settings: Settings) -> list[Problem]:
    """Everything that is wrong with the database, which is read and not repaired."""
    from hermes.store.verify import verify

    with closing(open_store(settings)) as database:
        return verify(database)


def back_up(settings: Settings, file: Path, progress: Progress) -> Manifest:
    """Everything in the database as it is now, as one file."""
    from hermes.store.backup import backup

    with closing(open_store(settings)) as database:
        return backup(database, file, progress)


def restore_backup(
    settings: Settings, file: Path, progress: Progress, *, replace: bool
) -> tuple[Manifest, Path | None]:
    """Fill an empty database from a backup, or put the backup in the place of a SQLite file.

    What was replaced is kept: that is the path in the answer. What was seen on disk is looked at
    anew afterwards.
    """
    from hermes.library.index import Index
    from hermes.store.backup import restore
    from hermes.store.replacing import replace_by_backup

    path = settings.paths.database_file
    if replace and settings.database_url is None and path.exists():
        manifest, kept = replace_by_backup(path, file, progress)
    else:
        with closing(open_store(settings)) as database:
            manifest, kept = restore(file, database, progress), None
    Index(settings.paths.data_dir / "index.db").clear()
    return manifest, kept


def copy_store(
    settings: Settings, address: str, progress: Progress
) -> tuple[Mapping[str, TableDigest], str]:
    """Everything into another, empty database: what each table had, and that database's name."""
    from hermes.store.open import open_database
    from hermes.store.transfer import copy

    with closing(open_store(settings)) as source, closing(open_database(address)) as target:
        return copy(source, target, progress), target.where


def view_tools(home: Home) -> ViewTools:
    from hermes.library.views import ViewTools

    ledger = home.ledger
    return ViewTools(home.reader, ledger.skills, ledger.versions, ledger.candidates)


def manage_tool(home: Home) -> ManageTool:
    from hermes.library.manage import ManageTool
    from hermes.library.names_in_use import NamesInUse

    names = NamesInUse(home.ledger.skills)
    return ManageTool(home.reader, names, home.ledger.versions, home.loop)


def agent_caller(session_id: str, *, requested_by_user: bool = False) -> Caller:
    """An agent in the foreground, as skill_manage wants to know who calls."""
    from hermes.library.manage import Caller
    from hermes.records.origin import Origin

    return Caller(
        origin=Origin.ASSISTANT_TOOL,
        author="agent",
        session_id=session_id,
        requested_by_user=requested_by_user,
    )


def check_skill(path: Path) -> Reading:
    """What the format says of a folder, or of a SKILL.md alone, anywhere on this disk."""
    from hermes.library import inspecting

    return inspecting.check_skill(path)


def skills_on_disk(settings: Settings) -> tuple[list[str], list[str]]:
    """The names in the skills folders and what is wrong with them, read and not recorded."""
    from hermes.library import inspecting

    external = [Path(folder) for folder in settings.skills.external_dirs]
    return inspecting.skills_on_disk(settings.paths.skills_dir, external)


def exchanges_folders(place: Path) -> bool:
    """Whether the disk there can swap two folders in one step; tried for real."""
    from hermes.library import inspecting

    return inspecting.exchanges_folders(place)


def sandbox_facts(settings: Settings, environ: Mapping[str, str]) -> list[BackendFact]:
    """Every isolating backend, tried for real, the strongest first."""
    from hermes.app_sandbox import backend_facts

    return backend_facts(settings, environ)


def embedder() -> Embedder:
    """The offline model. Two texts at once: what is embedded in bulk has a machine to itself."""
    from hermes.models.minilm import MiniLM

    return MiniLM(parallel=min(2, os.cpu_count() or 1))


def skill_search(home: Home, *, semantic: bool = True) -> SkillSearch:
    """By words alone where the model's packages are missing; `hermes doctor` says so."""
    from hermes.library.search import SkillSearch
    from hermes.models.minilm import missing_packages

    usable = semantic and not missing_packages()
    return SkillSearch(home.ledger.skills, embedder() if usable else None, home.database)


def prompt_catalogue(home: Home, search: SkillSearch) -> PromptCatalogue:
    from hermes.library.prompt_catalogue import PromptCatalogue

    return PromptCatalogue(home.reader, search, home.settings.skills.catalog_token_budget)


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
    trials: Callable[[], Trials],
    agent_open: Callable[[], bool],
) -> Loop:
    from hermes.library.format import AgentSkillFormat
    from hermes.library.home_id import home_id
    from hermes.loop import Loop
    from hermes.rules.admission import Policy
    from hermes.stages.promote.journalled import Desk
    from hermes.stages.validate.format import FormatCheck
    from hermes.stages.validate.trial import TrialCheck

    skill_format = AgentSkillFormat()
    desk = Desk(ledger, library, home_id(settings.paths.data_dir / _HOME_ID), _SystemClock())
    return Loop(
        desk=desk,
        checkers=(FormatCheck(skill_format, ledger.versions), TrialCheck(trials)),
        skill_format=skill_format,
        policy=Policy(settings.promote.policy),
        agent_open=agent_open,
        os_user=os_user(),
    )


def _ledger(database: Database) -> Ledger:
    from hermes.stages.promote.ledger import Ledger
    from hermes.store.tables.candidate import CandidateTable
    from hermes.store.tables.change import ChangeTable
    from hermes.store.tables.event import EventTable
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
        events=EventTable(database),
        journal=JournalTable(database),
    )


def os_user() -> str:
    """Who the system says we are; a number where it has no name for us."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid {os.getuid()}"
