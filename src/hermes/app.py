"""The composition root: builder functions, and the only file that names concrete adapters.

A front door opens a Home and asks here for what it needs. Each builder imports its adapter when
it is called, so a command pays only for what it uses.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.ids import new_id, now

if TYPE_CHECKING:
    from hermes.library.index import Index
    from hermes.library.manage import ManageTool
    from hermes.library.prompt_catalogue import PromptCatalogue
    from hermes.library.reader import Reader
    from hermes.library.search import SkillSearch
    from hermes.library.views import ViewTools
    from hermes.loop import Loop
    from hermes.ports import Embedder
    from hermes.settings import Settings
    from hermes.stages.promote.ledger import Ledger
    from hermes.store.database import Database


class SystemClock:
    def now(self) -> datetime:
        return now()


@dataclass(frozen=True, slots=True)
class Home:
    """An open home: the settings it was opened with, its database, its gate, its reader."""

    settings: Settings
    database: Database
    loop: Loop
    reader: Reader

    @property
    def ledger(self) -> Ledger:
        return self.loop.desk.ledger

    def close(self) -> None:
        self.database.close()


def open_home(settings: Settings) -> Home:
    """Open the store, finish what a dead process left half done, and be ready to read."""
    database = open_store(settings)
    index = _index(settings)
    loop = _loop(settings, database, index)
    loop.recover()
    return Home(settings, database, loop, _reader(settings, loop, index))


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


def _index(settings: Settings) -> Index:
    from hermes.library.index import Index

    return Index(settings.paths.data_dir / "index.db")


def _reader(settings: Settings, loop: Loop, index: Index) -> Reader:
    from hermes.library.reader import Reader

    ledger = loop.desk.ledger
    external = [Path(folder).expanduser() for folder in settings.skills.external_dirs]
    return Reader(settings.paths.skills_dir, external, index, ledger.skills, ledger.versions, loop)


def _loop(settings: Settings, database: Database, index: Index) -> Loop:
    from hermes.library.disk import DiskLibrary
    from hermes.library.format import AgentSkillFormat
    from hermes.loop import Loop
    from hermes.rules.admission import Policy
    from hermes.stages.promote.journalled import Desk
    from hermes.stages.validate.format import FormatCheck
    from hermes.store.tables.trajectory import TrajectoryTable

    skill_format = AgentSkillFormat()
    library = DiskLibrary(settings.paths.skills_dir, settings.paths.data_dir, index)
    desk = Desk(_ledger(database), library, _home_id(settings.paths.data_dir), SystemClock())
    return Loop(
        desk=desk,
        checkers=(FormatCheck(skill_format, desk.ledger.versions),),
        skill_format=skill_format,
        policy=Policy(settings.promote.policy),
        agent_open=TrajectoryTable(database).any_open,
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
