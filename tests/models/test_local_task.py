"""`hermes run` with the default model file, where it is here: three tools, one right answer.

HERMES_TEST_MODEL names the file; else the models folder of the home is looked at. It is slow, and
slower still on a busy machine, so nothing here says how long it may take.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hermes.cli.demo.live import TASK
from hermes.testing.model_file import NEEDS_MODEL_FILE, model_file

pytestmark = NEEDS_MODEL_FILE


@pytest.mark.parametrize(
    ("rows", "right"),
    [
        ("id,amount\n1,50\n2,150\n3,101\n4,100\n5,300\n", "3"),
        ("amount,id\n" + "".join(f"{90 + 3 * n},{n}\n" for n in range(12)), "8"),
    ],
)
def test_a_task_from_the_command_line(tmp_path: Path, rows: str, right: str) -> None:
    file = model_file()
    project, models = tmp_path / "project", tmp_path / "home" / "loop" / "models"
    project.mkdir()
    models.mkdir(parents=True)
    (models / "small.gguf").symlink_to(file)
    (project / "data.csv").write_text(rows)
    wanted = ["--model", "local:small", "--expect", "out.txt", "--max-steps", "12", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "hermes", "run", TASK, *wanted],
        env={**os.environ, "HERMES_HOME": str(tmp_path / "home")},
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert json.loads(done.stdout)["verified"] is True
    assert right in (project / "out.txt").read_text().split()
