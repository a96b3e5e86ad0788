"""Memories at a door that is pushed, slammed and locked: nothing lost, nothing twice, one line."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hermes.testing.fixtures import BOTH
from hermes.testing.mounts import run_python

from .conftest import Learner

LINES = 900
KILLS = 3


def notes(folder: Path) -> Path:
    file = folder / "notes.jsonl"
    lines = ({"text": f"rack {n} holds {n * 7} drives of type T{n * 13}"} for n in range(LINES))
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def importing(learner: Learner, file: Path) -> subprocess.Popen[str]:
    environ = {**os.environ, **learner.environ}
    words = [sys.executable, "-m", "hermes", "memory", "import", str(file), "--json"]
    pipe = subprocess.PIPE
    return subprocess.Popen(words, env=environ, stdout=pipe, stderr=pipe, text=True)


def count(learner: Learner) -> int:
    figures = learner.json("memory", "stats")["report"]["figures"]
    return int(figures["kinds"].get("semantic", 0))


def test_a_killed_import_is_finished_by_the_next(learner: Learner, tmp_path: Path) -> None:
    file = notes(tmp_path)
    learner.json("memory", "stats")  # the schema is there: what is killed is the import
    seed = int(os.environ.get("HERMES_CHAOS_SEED", time.time_ns() % 1_000_000))
    print(f"HERMES_CHAOS_SEED={seed}")
    moments = random.Random(seed)
    for _ in range(KILLS):
        process = importing(learner, file)
        try:
            process.wait(moments.uniform(0.3, 3.0))
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()
    before = count(learner)
    report = learner.json("memory", "import", str(file))
    assert (report["kept"], report["known"]) == (LINES - before, before)
    assert count(learner) == LINES
    assert learner("db", "verify").code == 0


@pytest.mark.parametrize("kind", BOTH)
def test_two_imports_at_once_add_everything_once(
    learner: Learner, tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    if kind == "postgres":
        learner.environ["MEMORY_DB_URL"] = request.getfixturevalue("postgres_url")
    file = notes(tmp_path)
    learner.json("memory", "stats")
    both = [importing(learner, file), importing(learner, file)]
    reports = []
    for process in both:
        out, err = process.communicate()
        assert process.returncode == 0, err
        reports.append(json.loads(out))
    assert sum(report["kept"] for report in reports) == LINES
    assert sum(report["known"] for report in reports) == LINES
    assert count(learner) == LINES


READ_ONLY = """
import sys
from hermes.cli.main import main
for words in (["add", "the till opens at nine"], ["list"], ["forget", "mem_0"], ["import", "-"]):
    print(main(["--home", sys.argv[1], "memory", *words]))
"""


def test_a_home_that_cannot_be_written_says_so_in_one_line(
    learner: Learner, tmp_path: Path
) -> None:
    learner.json("memory", "add", "the vault opens at ten")
    home = str(learner.root)
    result = run_python(READ_ONLY, "--ro-bind", home, home, arguments=(home,))
    assert result.stdout.split() == ["1"] * 4, result.stdout + result.stderr
    lines = result.stderr.splitlines()
    assert len(lines) == 4, result.stderr
    assert all("Traceback" not in line and line.startswith("hermes: ") for line in lines)
    assert len(learner.json("memory", "list")["items"]) == 1


def test_a_database_that_is_gone_is_told_in_one_line(learner: Learner) -> None:
    learner.environ["MEMORY_DB_URL"] = "postgresql://nobody@127.0.0.1:9/none"
    answer = learner("memory", "add", "the till opens at nine")
    assert answer.code == 1
    assert answer.err.count("\n") == 1
