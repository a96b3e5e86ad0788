"""The commands of docs/guides/agent.md that need no model run, in their order, in an empty home."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "agent.md"


def test_the_commands_of_the_guide_run(tmp_path: Path) -> None:
    blocks = re.findall(r"```bash\n(.*?)```", GUIDE.read_text(), flags=re.S)
    lines = [line for block in blocks for line in block.splitlines() if line.strip()]
    assert len(lines) >= 10
    environ = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HERMES_HOME": str(tmp_path / "home"),
        "HOME": str(tmp_path),
    }
    script = "\n".join(f"{line} || exit 1" for line in lines)
    result = subprocess.run(
        ["bash", "-c", script],
        env=environ,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    assert "nothing waits to be learned from" in result.stdout
    assert "begins in February" in result.stdout
