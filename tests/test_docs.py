"""Documentation is run: what the pages say is what the code does."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def _writer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_docs", ROOT / "scripts" / "write_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_are_up_to_date() -> None:
    """Line breaks aside: where argparse puts them differs between versions of Python."""
    for page, text in _writer().pages().items():
        stored = page.read_text().split()
        assert stored == text.split(), f"run: python scripts/write_docs.py ({page.name})"


def test_every_word_of_the_design_is_explained() -> None:
    loop = (DOCS / "loop.md").read_text()
    words = {
        "task", "session", "trajectory", "observation", "example", "pattern", "skill", "version",
        "candidate", "verdict", "approval", "release", "use", "memory", "feedback", "change",
        "event", "scope",
    }  # fmt: skip
    for word in words:
        assert (ROOT / "src" / "hermes" / "records" / f"{word}.py").exists()
        assert f"{word}.py" in loop, f"docs/loop.md does not say where {word} lives"


def test_links_lead_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"


def _readme_commands() -> list[str]:
    blocks = re.findall(r"```bash\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.S)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return [line.partition("  #")[0].strip() for line in lines if line.startswith("hermes ")]


def test_commands_of_the_readme_run(tmp_path: Path) -> None:
    commands = _readme_commands()
    assert len(commands) >= 5
    skill = tmp_path / "home" / "skills" / "tidy-csv"
    skill.mkdir(parents=True)
    text = "---\nname: tidy-csv\ndescription: Tidies CSV files. Use when a table is messy.\n---\n"
    (skill / "SKILL.md").write_text(text + "# Tidy\n\nStep one.\n")
    logs = ROOT / "src" / "hermes" / "cli" / "demo" / "logs" / "claude-code" / "projects"
    shutil.copytree(logs, tmp_path / ".claude" / "projects")
    environ = {**os.environ, "HERMES_HOME": str(tmp_path / "home")}
    run = [sys.executable, "-m", "hermes"]
    subprocess.run([*run, "skills", "list"], env=environ, check=True, capture_output=True)
    (skill / "SKILL.md").write_text(text + "# Tidy\n\nStep two.\n")
    for command in commands:
        result = subprocess.run(
            [*run, *shlex.split(command.replace("~/", f"{tmp_path}/"))[1:]],
            env=environ,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, f"{command}: {result.stderr}"
