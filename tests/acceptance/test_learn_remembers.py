"""What was learned from can be searched, and what went wrong in it is remembered."""

from __future__ import annotations

from pathlib import Path

from hermes.records.memory import MemoryKind
from hermes.testing.sessions.city_counts import begun, city_count
from hermes.testing.sessions.logs import claude_code
from hermes.testing.store import store_ports

from .conftest import Learner


def test_imported_runs_are_found_at_once(learner: Learner, tmp_path: Path) -> None:
    work, logs = tmp_path / "work", tmp_path / "logs"
    claude_code(city_count(0, work), logs)
    odd = begun(3, work).user("No, that is wrong: the heliotrope column is missing.").agent("Done.")
    claude_code(odd, logs)
    learner.learn(logs)
    found = learner.json("trajectories", "search", "heliotrope column", "-k", "1")
    (run,) = found["runs"]
    assert run["agent"] == "claude-code"
    assert "heliotrope" in run["passages"][0]["snippet"]["text"]
    assert found["unread"] == 0
    with learner.open() as home:
        memories = store_ports(home.database).memories.page("personal", MemoryKind.EPISODIC)
    assert f"trajectory:{run['trajectory_id']}" in [memory.source for memory in memories]
    learner.learn(logs)
    with learner.open() as home:
        again = store_ports(home.database).memories.page("personal", MemoryKind.EPISODIC)
    assert [memory.id for memory in again] == [memory.id for memory in memories]
