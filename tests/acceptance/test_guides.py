"""The commands of the guides that need no model run, in their order, each in an empty home."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

GUIDES = Path(__file__).parents[2] / "docs" / "guides"


def commands(guide: str) -> list[str]:
    blocks = re.findall(r"```bash\n(.*?)```", (GUIDES / guide).read_text(), flags=re.S)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize(
    ("guide", "least", "said"),
    [
        ("agent.md", 10, ["nothing waits to be learned from", "begins in February"]),
        ("memory.md", 15, ["it supersedes mem_", "waits for approval", "never on Fridays"]),
    ],
)
def test_the_commands_of_a_guide_run(
    tmp_path: Path, guide: str, least: int, said: Sequence[str]
) -> None:
    lines = commands(guide)
    assert len(lines) >= least
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
    assert [line for line in said if line not in result.stdout] == []
