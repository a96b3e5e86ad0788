"""The skill tools, search and the prompt's catalogue, made from an open home."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.library.finding import PromptSkills
    from hermes.library.manage import Caller, ManageTool
    from hermes.library.search import SkillSearch
    from hermes.library.sweeper import Sweeper
    from hermes.library.views import ViewTools
    from hermes.settings import Settings


def view_tools(home: Home) -> ViewTools:
    from hermes.library.views import ViewTools

    ledger = home.ledger
    return ViewTools(home.reader, ledger.skills, ledger.versions, ledger.candidates)


def manage_tool(home: Home) -> ManageTool:
    from hermes.app.home import os_user
    from hermes.library.manage import ManageTool
    from hermes.library.names_in_use import NamesInUse

    names = NamesInUse(home.ledger.skills)
    ledger = home.ledger
    return ManageTool(home.reader, names, ledger.versions, ledger.candidates, home.loop, os_user())


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


def skills_on_disk(settings: Settings) -> tuple[list[str], list[str]]:
    """The names in the skills folders and what is wrong with them, read and not recorded."""
    from hermes.library import inspecting

    external = [Path(folder) for folder in settings.skills.external_dirs]
    return inspecting.skills_on_disk(settings.paths.skills_dir, external)


def exchanges_folders(place: Path) -> bool:
    """Whether the disk there can swap two folders in one step; tried for real."""
    from hermes.library import inspecting

    return inspecting.exchanges_folders(place)


def sweeper(home: Home) -> Sweeper:
    """Keeps looking at every folder while a conversation is open.

    A look that fails is not told from there: the next turn looks too, and says what is wrong.
    """
    from hermes.library.sweeper import Sweeper

    return Sweeper(home.reader, on_error=lambda _: None)


def skill_search(home: Home, *, semantic: bool = True) -> SkillSearch:
    """By words alone where there is no embedder."""
    from hermes.library.search import SkillSearch

    return SkillSearch(home.ledger.skills, home.embedder if semantic else None, home.database)


def prompt_skills(home: Home, search: SkillSearch, budget: int) -> PromptSkills:
    """The library as a prompt sees it: a catalogue of it takes at most so many tokens."""
    from hermes.library.finding import PromptSkills
    from hermes.store.tables.use import UseTable

    rates = UseTable(home.database).rates
    return PromptSkills(home.reader, search, home.ledger.skills, rates, budget)


def prompt_catalogue(home: Home, search: SkillSearch) -> Callable[[str], str]:
    """A task → what the agent's prompt for it says of the library."""
    from hermes.stages.execute.context import Contexts

    contexts = Contexts(
        finder=prompt_skills(home, search, home.settings.skills.catalog_token_budget),
        recaller=None,
        releases=home.ledger.releases,
        own_drafts=lambda: (),
    )
    return lambda task: contexts.for_task(task).catalogue()
