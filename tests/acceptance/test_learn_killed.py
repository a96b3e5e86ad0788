"""`hermes learn` is killed at any moment: the next one ends with what one whole run comes to."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

from hermes.app.importing import import_logs
from hermes.testing.sessions.city_counts import city_count
from hermes.testing.sessions.logs import claude_code

from .conftest import Learner

RUNS = 4
KILLS = 3


def test_what_a_killed_run_left_undone_is_done_by_the_next(
    learner: Learner, tmp_path: Path
) -> None:
    for number in range(RUNS):
        claude_code(city_count(number, tmp_path / "work"), tmp_path / "logs")
    seed = int(os.environ.get("HERMES_CHAOS_SEED", time.time_ns() % 1_000_000))
    print(f"HERMES_CHAOS_SEED={seed}")
    moments = random.Random(seed)
    environ = {"PATH": os.environ["PATH"], **learner.environ}
    for _ in range(KILLS):
        words = [sys.executable, "-m", "hermes", "learn", str(tmp_path / "logs")]
        process = subprocess.Popen(words, env=environ, stdout=subprocess.DEVNULL)
        try:
            process.wait(moments.uniform(0.2, 2.5))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    learner.learn(tmp_path / "logs")
    assert len(learner.json("trajectories", "list")) == RUNS
    assert len(learner.json("examples", "list")) == RUNS
    (pattern,) = learner.json("patterns", "list")
    assert len(pattern["example_ids"]) == RUNS
    (waiting,) = learner.json("review", "list")
    procedure = learner.files_of(waiting["id"])["references/procedure.json"]
    assert all(example in procedure for example in pattern["example_ids"])
    assert learner.learn(tmp_path / "logs")["learned"]["tasks"] == 0


def test_a_run_that_died_after_reading_is_caught_up(learner: Learner, tmp_path: Path) -> None:
    """The worst moment: the logs count as read, and nothing was learned from them."""
    for number in range(RUNS):
        claude_code(city_count(number, tmp_path / "work"), tmp_path / "logs")
    with learner.open() as home:
        import_logs(home, [tmp_path / "logs"])
        (home.settings.paths.data_dir / "learning").touch()
    (line,) = learner.learn(tmp_path / "logs")["learned"]["lines"]
    assert (line["examples"], line["state"]) == (RUNS, "awaiting_review")
