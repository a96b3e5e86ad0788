"""The composition root: builder functions, and the only room that names concrete adapters.

A front door opens a Home and asks here for what it needs. Each builder imports its adapter when
it is called, so a command pays only for what it uses.
"""

from hermes.app.database import (
    back_up,
    copy_store,
    open_store,
    restore_backup,
    store_problems,
    store_schema,
)
from hermes.app.embedding import embedder, home_embedder
from hermes.app.home import Home, open_home, os_user
from hermes.app.proving import prove_skill
from hermes.app.sandbox import sandbox_facts, sandbox_replays, working_sandboxes
from hermes.app.skills import (
    agent_caller,
    exchanges_folders,
    manage_tool,
    prompt_catalogue,
    skill_search,
    skills_on_disk,
    view_tools,
)
from hermes.app.validating import Inspection, inspect_skill, scan_skill

__all__ = [
    "Home",
    "Inspection",
    "agent_caller",
    "back_up",
    "copy_store",
    "embedder",
    "exchanges_folders",
    "home_embedder",
    "inspect_skill",
    "manage_tool",
    "open_home",
    "open_store",
    "os_user",
    "prompt_catalogue",
    "prove_skill",
    "restore_backup",
    "sandbox_facts",
    "sandbox_replays",
    "scan_skill",
    "skill_search",
    "skills_on_disk",
    "store_problems",
    "store_schema",
    "view_tools",
    "working_sandboxes",
]
