"""What is deleted is gone: the words, the steps, and the files that nothing else needs."""

from __future__ import annotations

from pathlib import Path

from hermes.testing.sessions.city_counts import begun, city_count, table_of
from hermes.testing.sessions.logs import claude_code

from .conftest import Learner


def kept(learner: Learner, text: str) -> list[str]:
    """Files of the home that hold the text; the database is made to write everything out."""
    with learner.open() as home:
        home.database.ask("VACUUM")
    hits = [path for path in learner.root.rglob("*") if path.is_file()]
    return [path.name for path in hits if text.encode() in path.read_bytes()]


def test_the_words_and_the_files_of_a_deleted_run_are_gone(
    learner: Learner, tmp_path: Path
) -> None:
    mark = "9001,Zanzibar,1"
    secret = begun(3, tmp_path / "work", table=f"{table_of(3)}{mark}\n")
    claude_code(secret.user("The codeword is heliotrope.").agent("Noted."), tmp_path / "logs")
    claude_code(city_count(0, tmp_path / "work"), tmp_path / "logs")
    learner.learn(tmp_path / "logs")
    assert kept(learner, mark)
    assert kept(learner, "heliotrope")
    runs = learner.json("trajectories", "list")
    (doomed,) = [run["trajectory"]["id"] for run in runs if "april" in str(run)]
    assert learner("trajectories", "delete", doomed, "--by", "ann").code == 0
    assert kept(learner, mark) == []
    assert kept(learner, "heliotrope") == []
    assert kept(learner, table_of(0)), "the other run keeps its files"
    assert doomed in learner("events").out
