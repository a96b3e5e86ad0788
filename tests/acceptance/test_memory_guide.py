"""The commands of docs/guides/memory.md run, in their order, in an empty home."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "memory.md"


def commands() -> list[str]:
    blocks = re.findall(r"```bash\n(.*?)```", GUIDE.read_text(), flags=re.S)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def test_the_commands_of_the_guide_run(tmp_path: Path) -> None:
    lines = commands()
    assert len(lines) >= 15
    environ = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HERMES_HOME": str(tmp_path / "home"),
        "HOME": str(tmp_path),
    }
    script = "set -o pipefail\n" + "\n".join(f"{line} || exit 1" for line in lines)
    result = subprocess.run(
        ["bash", "-c", script],
        env=environ,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    assert "it supersedes mem_" in result.stdout
    assert "waits for approval" in result.stdout
    assert "never on Fridays" in result.stdout
    assert (tmp_path / "memories.jsonl").exists()
