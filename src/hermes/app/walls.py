"""Around the agent's project: what of ours, and of other programs, it may not touch there."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from hermes.agent.watching import entries
from hermes.errors import Refused
from hermes.records.sandbox import GUARDED_NAMES, SandboxPolicy

if TYPE_CHECKING:
    from hermes.agent.interrupts import Interrupts
    from hermes.agent.tools.mcp_servers import McpServers
    from hermes.settings import Paths, Settings

_FOLDERS_AT_MOST = 2_000  # looked through, once in a session
_NESTED_AT_MOST = 200
_PASSED_BY = frozenset(("node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache"))


def hidden_folders(paths: Paths) -> tuple[Path, ...]:
    """What nobody but us reads: `loop/`, and where PERSISTENT_DIR has the database."""
    return tuple(dict.fromkeys((paths.loop_dir, paths.database_file.parent)))


def workspace_policy(settings: Settings, project: Path) -> SandboxPolicy:
    """The project writable, but for the live skills and for what other programs run or obey."""
    skills = os.path.realpath(settings.paths.skills_dir)
    guarded = [skills] if Path(skills).is_relative_to(project) else []
    guarded += _led_to(project)
    try:
        policy = SandboxPolicy.workspace(project=str(project))
        return policy.also_guarding((*guarded, *nested_guarded(project)))
    except ValueError as error:
        raise Refused(
            f"the agent cannot work in {project}: {error}", hint="start it in a project's folder"
        ) from error


def _led_to(project: Path) -> list[str]:
    """Where guarded names that are links lead in the project: `.bashrc` to `dotfiles/bashrc`."""
    links = [project / name for name in GUARDED_NAMES if os.path.islink(project / name)]
    ends = [os.path.realpath(link) for link in links]
    return [end for end in ends if Path(end).is_relative_to(project) and end != str(project)]


def nested_guarded(project: Path) -> Sequence[str]:
    """The guarded files and folders that are there in projects inside the project."""
    wanted: dict[str, list[tuple[str, ...]]] = {}
    for first, *rest in (PurePath(name).parts for name in GUARDED_NAMES):
        wanted.setdefault(first, []).append(tuple(rest))
    found: list[str] = []
    waiting = [str(project)]
    looked = 0
    while waiting and looked < _FOLDERS_AT_MOST and len(found) < _NESTED_AT_MOST:
        folder = waiting.pop(0)
        looked += 1
        for entry in entries(folder):
            if entry.name in wanted:
                names = (os.path.join(entry.path, *rest) for rest in wanted[entry.name])
                found += [path for path in names if os.path.exists(path)]
            elif entry.name not in _PASSED_BY and entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
    return found[:_NESTED_AT_MOST]


def mcp_servers(
    settings: Settings, project: Path, note: Callable[[str], None], interrupts: Interrupts
) -> McpServers:
    """The servers of the settings. They are programs that a person chose, so they run outside the
    sandbox; none of them is told our keys."""
    from hermes.agent.tools.mcp_connection import McpServer
    from hermes.agent.tools.mcp_program import plain_environment
    from hermes.agent.tools.mcp_servers import McpServers

    environment = plain_environment(os.environ)
    return McpServers(
        [
            McpServer(
                name=name,
                command=one.command,
                url=one.url,
                folder=project,
                environment=environment,
            )
            for name, one in settings.mcp_servers.items()
        ],
        note,
        interrupts,
    )
