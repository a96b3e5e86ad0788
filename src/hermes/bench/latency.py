"""What the house costs: commands, sandboxes, skills, indexing a library, a turn of the agent.

Every number is measured in this run, on real folders and a real database in a temporary home.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hermes import settings
from hermes.app import Home, manage_tool, open_home, prompt_catalogue, skill_search, view_tools
from hermes.bench.execution import execution_figures
from hermes.bench.figures import Figure, peer
from hermes.bench.measuring import command_cpu_s, each_cpu_ms, wall_s
from hermes.bench.memory_latency import memory_figures
from hermes.bench.sandbox import sandbox_figures
from hermes.rules.catalogue import quarter_of_characters
from hermes.testing.homes import ASKED, skill_text
from hermes.testing.skill_corpus import write_corpus

Say = Callable[[str], None]
SIZES = (100, 1_000, 5_000)
MEMORIES = 100_000
_SEED = 20261115
_TASKS = (
    "turn a folder of CSV exports into one monthly report with charts",
    "the deployment fails with ECONNREFUSED, find out why",
    "review this pull request and post comments about style",
    "rename every photo by the date it was taken",
    "write release notes from the commits since the last tag",
)


def latency(say: Say, items: int = MEMORIES) -> list[Figure]:
    """All figures of this page: small libraries first, then the agent, memory last."""
    figures = command_figures(say) + sandbox_figures(say)
    for size in SIZES:
        figures += library_figures(size, say)
    figures += index_figures(10_000, say) + execution_figures(say, memories=items)
    return figures + memory_figures(say, items)


def command_figures(say: Say) -> list[Figure]:
    """Whole processes, the interpreter's start included."""
    with _library(1_000) as environ:
        say("commands: --version, --help, skills list with 1,000 skills")
        command_cpu_s(["skills", "list"], environ, runs=2)  # the first one adopts the folders
        return [
            Figure(
                what="hermes --version",
                value=command_cpu_s(["--version"], environ),
                unit="s CPU",
                limit=0.10,
                peer=peer("version_s"),
            ),
            Figure(
                what="hermes --help",
                value=command_cpu_s(["--help"], environ),
                unit="s CPU",
                limit=0.10,
            ),
            Figure(
                what="hermes skills list, 1,000 skills (the peer's: an empty home)",
                value=command_cpu_s(["skills", "list"], environ),
                unit="s CPU",
                limit=0.15,
                peer=peer("skills_list_s"),
            ),
        ]


def library_figures(size: int, say: Say) -> list[Figure]:
    """A warm process with this many skills: what one call of the skill tools costs."""
    with _library(size) as environ:
        say(f"{size:,} skills: adopting, embedding, then view, create, patch, catalogue")
        home = open_home(settings.load(environ))
        home.reader.look()
        search = skill_search(home)
        search.embed_missing()
        figures = _tool_figures(home, size)
        prompts = prompt_catalogue(home, search)
        prompts("warm up")
        tokens = max(quarter_of_characters(prompts(task)) for task in _TASKS)
        # Other words than above: the vector of a task that was asked before is remembered.
        catalogue = each_cpu_ms(prompts, [f"{task}, please" for task in _TASKS])
        home.close()
    strict = size == SIZES[-1]
    return [
        *figures,
        Figure(
            what=f"catalogue for a task, {size:,} skills",
            value=catalogue,
            unit="ms CPU",
            limit=20 if strict else None,
            peer=peer("catalogue_ms", size),
        ),
        Figure(
            what=f"catalogue in the prompt, {size:,} skills",
            value=tokens,
            unit="tokens",
            limit=3_000,
            peer=peer("catalogue_tokens", size),
        ),
    ]


def _tool_figures(home: Home, size: int) -> list[Figure]:
    views, manage = view_tools(home), manage_tool(home)
    names = [skill["name"] for skill in views.skills_list()["skills"]][:40]

    def create(number: int) -> None:
        name = f"measured-{number}"
        manage({"action": "create", "name": name, "content": skill_text(name)}, ASKED)

    def patch(number: int) -> None:
        change = {"old_string": "Do it.", "new_string": "Do it well."}
        answer = manage({"action": "patch", "name": f"measured-{number}", **change}, ASKED)
        if not answer["success"]:
            raise RuntimeError(answer["message"])

    create(0)
    strict = size == SIZES[-1]
    return [
        Figure(
            what=f"skill_view, {size:,} skills",
            value=each_cpu_ms(views.skill_view, names),
            unit="ms CPU",
            limit=5 if strict else None,
            peer=peer("view_ms", size),
        ),
        Figure(
            what=f"create, {size:,} skills",
            value=each_cpu_ms(create, range(1, 31)),
            unit="ms CPU",
            limit=15 if strict else None,
            peer=peer("create_ms", size),
        ),
        Figure(
            what=f"patch, {size:,} skills",
            value=each_cpu_ms(patch, range(31)),
            unit="ms CPU",
            limit=15 if strict else None,
            peer=peer("patch_ms", size),
        ),
    ]


def index_figures(size: int, say: Say) -> list[Figure]:
    """A first start on a large library of varied quality, and the next start after it."""
    with _library(size) as environ:
        say(f"{size:,} SKILL.md files of varied quality: the first start, vectors included")
        home = open_home(settings.load(environ))
        first = wall_s(home.reader.look)
        vectors = wall_s(lambda: skill_search(home).embed_missing())
        home.close()

        def restart() -> None:
            opened = open_home(settings.load(environ))
            opened.reader.look()
            opened.close()

        restart()  # folders written a moment ago are read once more; see folders.settled_signature
        return [
            Figure(what=f"index {size:,} folders", value=first, unit="s", limit=60),
            Figure(what=f"embed {size:,} heads (in the background)", value=vectors, unit="s"),
            Figure(
                what=f"restart with {size:,} folders, nothing changed",
                value=wall_s(restart),
                unit="s",
                limit=2,
            ),
        ]


@contextmanager
def _library(size: int) -> Iterator[dict[str, str]]:
    """A temporary home with this many skill folders in it; yields the environment that names it."""
    with tempfile.TemporaryDirectory(prefix="hermes-bench-") as folder:
        write_corpus(Path(folder) / "skills", size, _SEED)
        yield {"HERMES_HOME": folder}
