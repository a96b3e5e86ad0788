"""`make demo-live`: a model file on this machine does two tasks, the second by a learned skill.

The model is pulled into your own home, once, and used from a new one. It is small and works on the
processor, so the page takes some minutes.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from hermes.app.models import default_model_file
from hermes.cli.demo import tell
from hermes.cli.demo.learning import LOGS, SOURCES
from hermes.cli.demo.narrator import Narrator
from hermes.cli.demo.using import UNSEEN, draft_for
from hermes.cli.exits import DONE, FAILED
from hermes.cli.main import main as hermes
from hermes.cli.output import Output
from hermes.settings import load

TASK = "how many lines of data.csv have amount > 100? write the answer to out.txt"
_ROWS = "id,amount\n1,50\n2,150\n3,101\n4,100\n5,300\n6,99.5\n"
_RIGHT = "3"


def counting(narrator: Narrator, number: int, model: str) -> None:
    """Three tools: look at the file, count, write."""
    narrator.chapter(
        number,
        "A small model does a task with tools",
        "Each of its turns is generated under a grammar of the tools it is offered, so that it "
        "cannot call what is not there. Nothing leaves this machine. The model works on the "
        "processor alone, so this takes a minute, or a few where others use it too.",
    )
    project = _project(narrator, "counting")
    (project / "data.csv").write_text(_ROWS)
    narrator.hermes("run", TASK, "--model", model, "--expect", "out.txt", cwd=project)
    written = (project / "out.txt").read_text() if (project / "out.txt").exists() else ""
    narrator.claim(f"out.txt says {_RIGHT}", _RIGHT in written.split())
    narrator.hermes("trajectories", "list")


def applying(narrator: Narrator, number: int, model: str) -> None:
    """What it could not have written, it can call."""
    narrator.chapter(
        number,
        "The same model applies a skill that was learned from others",
        "Logs of finished work are learned, a person approves, and the skill is a tool: the "
        "model only fills in its parameters.",
    )
    case = json.loads((UNSEEN / "cases.json").read_text())[1]
    narrator.hermes("learn", *(str(LOGS / source) for source in SOURCES))
    with narrator.open() as home:
        candidate = draft_for(home.ledger.candidates.awaiting(), case)
    narrator.claim("there is a draft for it", candidate is not None)
    if candidate is None:
        return
    narrator.hermes("review", "approve", candidate.id, "--by", "ana", "--note", "checked the runs")
    project = _project(narrator, "applying")
    shutil.copy(UNSEEN / case["input"], project / case["input"])
    narrator.hermes(
        "run", case["request"], "--model", model, "--expect", case["output"], cwd=project
    )
    made = project / case["output"]
    right = (UNSEEN / case["expected"]).read_text().strip()
    narrator.claim(
        f"{case['output']} is right", made.exists() and made.read_text().strip() == right
    )


def _project(narrator: Narrator, name: str) -> Path:
    project = narrator.skills.parent / "work" / name
    project.mkdir(parents=True)
    return project


def main() -> int:
    out = Output(sys.stdout, sys.stderr)
    out.line("A model of a gigabyte, fetched into your own home once and checked by its hash:")
    out.prompt("hermes model pull")
    out.flush()
    if hermes(["model", "pull"], os.environ) != DONE:
        return FAILED
    file = default_model_file(load(os.environ))
    with tempfile.TemporaryDirectory(
        prefix="hermes-demo-",
        ignore_cleanup_errors=True,  # a worker may still be learning there
    ) as folder:
        models = Path(folder) / "loop" / "models"
        models.mkdir(parents=True, mode=0o700)
        (models / file.name).symlink_to(file)
        model = f"local:{file.stem}"
        chapters = [
            lambda narrator, number: counting(narrator, number, model),
            lambda narrator, number: applying(narrator, number, model),
        ]
        return tell(out, Path(folder), chapters)


if __name__ == "__main__":
    sys.exit(main())
