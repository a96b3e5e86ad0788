"""The skill tools, search and the prompt's catalogue, made from an open home."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.library.manage import Caller, ManageTool
    from hermes.library.prompt_catalogue import PromptCatalogue
    from hermes.library.search import SkillSearch
    from hermes.library.views import ViewTools
    from hermes.ports import Embedder
    from hermes.settings import Settings


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


def skills_on_disk(settings: Settings) -> tuple[list[str], list[str]]:
    """The names in the skills folders and what is wrong with them, read and not recorded."""
    from hermes.library import inspecting

    external = [Path(folder) for folder in settings.skills.external_dirs]
    return inspecting.skills_on_disk(settings.paths.skills_dir, external)


def exchanges_folders(place: Path) -> bool:
    """Whether the disk there can swap two folders in one step; tried for real."""
    from hermes.library import inspecting

    return inspecting.exchanges_folders(place)


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
