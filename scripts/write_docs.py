"""Writes the pages that are read off the code: commands, settings, the diagram of moves.

`python scripts/write_docs.py` rewrites them; tests/test_docs.py fails while one is out of date.
"""

from __future__ import annotations

import io
import os
import re
from contextlib import redirect_stdout, suppress
from importlib import import_module
from pathlib import Path

from hermes.cli.command import Command
from hermes.cli.main import main
from hermes.cli.table import COMMANDS
from hermes.rules.transitions import mermaid
from hermes.settings import load

DOCS = Path(__file__).parent.parent / "docs"


def pages() -> dict[Path, str]:
    """Every generated page and what it should say."""
    loop = DOCS / "loop.md"
    return {
        DOCS / "commands.md": _commands(),
        DOCS / "settings.md": _settings(),
        loop: re.sub(
            r"```mermaid\n.*?```", f"```mermaid\n{mermaid()}\n```", loop.read_text(), flags=re.S
        ),
    }


def _help(*words: str) -> str:
    """As wide as in a pipe, whatever this runs in."""
    said = io.StringIO()
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"
    try:
        with redirect_stdout(said), suppress(SystemExit):
            main([*words, "--help"], {})
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
    return said.getvalue().strip()


def _commands() -> str:
    parts = [
        "# Commands",
        "",
        "Every command explains itself with `--help`. Those that a program would read have `--json`.",
        "Exit code 0: done. 1: refused or failed, with one line on stderr. 2: wrong usage.",
        "`hermes-cli` is the same program, for machines where another `hermes` is on the path.",
    ]
    for name, entry in COMMANDS.items():
        parts += ["", f"## hermes {name}", "", f"{entry.summary[:1].upper()}{entry.summary[1:]}."]
        target = import_module(entry.module).COMMAND
        if isinstance(target, Command):
            parts += ["", "```text", _help(name), "```"]
        else:
            for inner in target:
                parts += ["", f"### hermes {name} {inner}", "", "```text", _help(name, inner), "```"]
    return "\n".join(parts) + "\n"


def _settings() -> str:
    parts = [
        "# Settings",
        "",
        "`$HERMES_HOME/loop/config.yaml`, all optional. The environment beats the file, the file",
        "beats these defaults. `hermes config show` says where each value came from; `hermes config",
        "set KEY VALUE` changes one after checking it.",
        "",
        "| key | default |",
        "|---|---|",
    ]
    for key, value, _ in load({"HERMES_HOME": "/nowhere", "HOME": "/nowhere"}).entries():
        if not key.startswith("paths.") and not key.endswith(("database_url", "_api_key")):
            parts.append(f"| `{key}` | `{_plain(value)}` |")
    parts += [
        "",
        "| variable | what it sets |",
        "|---|---|",
        "| `HERMES_HOME` | the home, default `~/.hermes` |",
        "| `HERMES_SKILLS_DIR` | the skills folder, default `$HERMES_HOME/skills` |",
        "| `PERSISTENT_DIR` | where database, logs and data go, default `$HERMES_HOME/loop` |",
        "| `MEMORY_DB_URL` | a `postgresql://` URL puts the store there |",
        "| `LLM_PROVIDER`, `DEFAULT_MODEL` | the model: `openai` and `gpt-4o` mean `openai:gpt-4o` |",
        "| `OPENAI_API_KEY` | the key; never shown, never stored |",
    ]
    return "\n".join(parts) + "\n"


def _plain(value: object) -> str:
    plain = {None: "null", True: "true", False: "false"}
    return plain.get(value, str(value)) if isinstance(value, bool | None) else str(value)


if __name__ == "__main__":
    for page, text in pages().items():
        page.write_text(text)
        print(f"wrote {page.relative_to(DOCS.parent)}")
