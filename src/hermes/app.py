"""The composition root: builder functions, and the only file that names concrete adapters.

A front door opens a Home and asks here for what it needs. Each builder imports its adapter when
it is called, so a command pays only for what it uses.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.ids import new_id, now

if TYPE_CHECKING:
    from hermes.library.index import Index
    from hermes.library.manage import ManageTool
    from hermes.library.prompt_catalogue import PromptCatalogue
    from hermes.library.reader import Notice, Reader
    from hermes.library.search import SkillSearch
    from hermes.library.views import ViewTools
    from hermes.loop import Loop
    from hermes.ports import Embedder, Listing
    from hermes.settings import Settings
    from hermes.stages.promote.ledger import Ledger
    from hermes.store.database import Database


class SystemClock:
    def now(self) -> datetime:
        return now()


class Home:
    """An open home: the settings it was opened with, its database, its gate, its reader.

    Each part is made when it is first asked for. A command that lists what it finds unchanged
    never pays for the gate.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = open_store(settings)

    def __enter__(self) -> Home:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.database.close()

    @cached_property
    def ledger(self) -> Ledger:
        return _ledger(self.database)

    @cached_property
    def listing(self) -> Listing:
        from hermes.store.tables.listing import ListingTable

        return ListingTable(self.database)

    @cached_property
    def loop(self) -> Loop:
        return _loop(self.settings, self.ledger, self._index, self._agent_open)

    @cached_property
    def reader(self) -> Reader:
        return _reader(self.settings, self.database, self._index, lambda new: self.loop.notice(new))

    @cached_property
    def _index(self) -> Index:
        from hermes.library.index import Index

        return Index(self.settings.paths.data_dir / "index.db")

    def _agent_open(self) -> bool:
        from hermes.store.tables.trajectory import TrajectoryTable

        return TrajectoryTable(self.database).any_open()


def open_home(settings: Settings) -> Home:
    """Open the store, finish what a dead process left half done, and be ready to read."""
    from hermes.store.tables.journal import JournalTable

    home = Home(settings)
    if JournalTable(home.database).pending(_home_id(settings.paths.data_dir)):
        home.loop.recover()
    return home


def open_store(settings: Settings) -> Database:
    from hermes.store.open import open_database

    url = settings.database_url
    return open_database(url.reveal() if url else settings.paths.database_file)


def view_tools(home: Home) -> ViewTools:
    from hermes.library.views import ViewTools

    ledger = home.ledger
    return ViewTools(home.reader, ledger.skills, ledger.versions, ledger.candidates)


def manage_tool(home: Home) -> ManageTool:
    from hermes.library.manage import ManageTool
    from hermes.library.names_in_use import NamesInUse

    names = NamesInUse(home.ledger.skills)
    return ManageTool(home.reader, names, home.ledger.versions, home.loop)


def embedder() -> Embedder:
    from hermes.models.minilm import MiniLM

    return MiniLM()


def skill_search(home: Home, *, semantic: bool = True) -> SkillSearch:
    from hermes.library.search import SkillSearch

    return SkillSearch(home.ledger.skills, embedder() if semantic else None, home.database)


def prompt_catalogue(home: Home, search: SkillSearch) -> PromptCatalogue:
    from hermes.library.prompt_catalogue import PromptCatalogue

    return PromptCatalogue(home.reader, search, home.settings.skills.catalog_token_budget)


def _reader(settings: Settings, database: Database, index: Index, notice: Notice) -> Reader:
    from hermes.library.reader import Reader
    from hermes.store.tables.skill import SkillTable
    from hermes.store.tables.version import VersionTable

    return Reader(
        settings.paths.skills_dir,
        [Path(folder) for folder in settings.skills.external_dirs],
        index,
        SkillTable(database),
        VersionTable(database),
        notice,
    )


def _loop(settings: Settings, ledger: Ledger, index: Index, agent_open: Callable[[], bool]) -> Loop:
    from hermes.library.disk import DiskLibrary
    from hermes.library.format import AgentSkillFormat
    from hermes.loop import Loop
    from hermes.rules.admission import Policy
    from hermes.stages.promote.journalled import Desk
    from hermes.stages.validate.format import FormatCheck

    skill_format = AgentSkillFormat()
    library = DiskLibrary(settings.paths.skills_dir, settings.paths.data_dir, index)
    desk = Desk(ledger, library, _home_id(settings.paths.data_dir), SystemClock())
    return Loop(
        desk=desk,
        checkers=(FormatCheck(skill_format, ledger.versions),),
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


def _home_id(data: Path) -> str:
    """Whose folder a journal line speaks of, when several machines share one database."""
    file = data / "home-id"
    if not file.exists():
        data.mkdir(parents=True, exist_ok=True)
        mine = data / new_id("home")
        mine.write_text(mine.name)
        try:
            os.link(mine, file)  # the first of several processes wins, the others read its id
        except FileExistsError:
            pass
        finally:
            mine.unlink()
    return file.read_text()
