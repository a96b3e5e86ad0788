"""`hermes doctor`: what works here, and what to do about what does not."""

from __future__ import annotations

import os
import socket
import stat
import threading
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from hermes.app import Home
from hermes.cli.doctor.places import filesystem_of
from hermes.ids import now
from hermes.models.knocking import silence_of
from hermes.records.job import Worker
from hermes.records.trajectory import TrajectoryState
from hermes.store.tables.worker import WorkerTable
from hermes.testing import samples
from hermes.testing.model_servers import openai_server
from hermes.testing.store import store_ports

from .conftest import Shell


def found(shell: Shell, **environ: str) -> dict[str, Any]:
    """What doctor says, by part."""
    plain = shell("doctor", "--json", **environ).json
    return {one["part"]: one for one in plain["findings"]}


def test_a_machine_where_everything_works(shell: Shell) -> None:
    shell.create("tidy-csv")
    answer = shell("doctor")
    assert answer.code == 0
    assert answer.out.endswith("Everything that is needed works.\n")
    parts = found(shell)
    assert {"python", "home", "disk", "skills", "database", "embedder", "sandbox"} <= set(parts)
    assert parts["skills"]["says"].startswith("1 in ")
    assert "whole" in parts["database"]["says"]
    assert "ms a text" in parts["embedder"]["says"]


def test_looking_leaves_nothing_behind(shell: Shell) -> None:
    parts = found(shell)
    assert parts["home"]["mark"] == "ok"
    assert "will make" in parts["database"]["says"]
    assert not shell.root.exists()


def test_looking_at_a_home_changes_nothing_in_it(shell: Shell) -> None:
    shell.create("tidy-csv")
    shell.write("new-one")
    before = sorted(path for path in shell.root.rglob("*") if "loop.db-" not in path.name)
    shell("doctor")
    after = sorted(path for path in shell.root.rglob("*") if "loop.db-" not in path.name)
    assert after == before
    with shell.open() as home:
        assert home.ledger.skills.named("new-one", "personal") is None


def test_a_home_that_cannot_be_written(shell: Shell) -> None:
    answer = shell("doctor", HERMES_HOME="/proc/nowhere")
    assert answer.code == 1
    assert "cannot be written" in answer.out
    assert "point HERMES_HOME" in answer.out
    assert "does not work" in answer.out


def test_a_broken_config_is_told_and_the_rest_is_looked_at(shell: Shell) -> None:
    config = shell.root / "loop" / "config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("promote: {policy: maybe}\n")
    answer = shell("doctor", "--json")
    assert answer.code == 1
    parts = {one["part"]: one for one in answer.json["findings"]}
    assert "config.yaml:1" in parts["settings"]["says"]
    assert parts["home"]["mark"] == "ok"


def test_broken_skills_are_counted_and_the_first_is_named(shell: Shell) -> None:
    shell.write("good")
    shell.write("bad", "nothing\n")
    skills = found(shell)["skills"]
    assert skills["mark"] == "note"
    assert "2 in " in skills["says"]
    assert "bad/SKILL.md:1" in skills["says"]
    assert skills["advice"]


def test_a_damaged_database(shell: Shell) -> None:
    shell.create("tidy-csv")
    (shell.root / "loop" / "loop.db").write_bytes(b"no database" * 1000)
    answer = shell("doctor")
    assert answer.code == 1
    assert "fail  database" in answer.out
    assert "hermes db restore" in answer.out


def test_an_unreachable_postgres_shows_no_password(shell: Shell) -> None:
    answer = shell("doctor", MEMORY_DB_URL="postgresql://ana:secret@127.0.0.1:1/x")
    assert answer.code == 1
    assert "fail  database" in answer.out
    assert "secret" not in answer.out + answer.err


def test_a_model_without_its_key(shell: Shell) -> None:
    model = {"LLM_PROVIDER": "openai", "DEFAULT_MODEL": "gpt-5"}
    without = found(shell, **model)["model"]
    assert (without["mark"], without["advice"]) == ("note", "set OPENAI_API_KEY in the environment")
    assert found(shell)["model"]["mark"] == "note"


def test_the_server_of_the_model_is_knocked_at_and_asked_nothing(shell: Shell) -> None:
    with openai_server() as server:
        model = f"scripted@{server.url}"
        environ = {"LLM_PROVIDER": "openai", "DEFAULT_MODEL": model}
        there = shell("doctor", OPENAI_API_KEY="sk-very-secret", **environ)
        assert server.asked == []
        assert server.keys == []
    assert f"openai:{model} can be used" in there.out
    assert "sk-very-secret" not in there.out
    gone = found(shell, **environ)["model"]
    assert gone["mark"] == "note"
    assert "does not answer: Connection refused" in gone["says"]
    assert "start it or check the network" in gone["advice"]


def test_a_server_that_hangs_or_speaks_something_else_does_not_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1]
        assert "no answer within" in silence_of(f"http://127.0.0.1:{port}/v1", seconds=0.2)
        talking = threading.Thread(target=_say_nonsense, args=(mute,), daemon=True)
        talking.start()
        said = silence_of(f"http://127.0.0.1:{port}/v1", seconds=10)
        talking.join()
    assert "no web server" in said


def _say_nonsense(server: socket.socket) -> None:
    server.accept()[0].close()  # the one that gave up
    connection, _ = server.accept()
    with connection:
        connection.recv(4096)
        connection.sendall(b"220 mail.example ready\r\n")


def test_runs_that_nobody_learns_from_are_told(shell: Shell) -> None:
    assert found(shell)["worker"]["says"] == "nothing waits to be learned from"
    with shell.open() as home:
        _end_runs(home, 2, at=now() - timedelta(days=3, hours=2))
    waiting = found(shell)["worker"]
    assert waiting["mark"] == "note"
    assert waiting["says"] == "2 runs wait to be learned from, since 3 days"
    assert "hermes worker --until-idle" in waiting["advice"]
    with shell.open() as home:
        WorkerTable(home.database).put(Worker(id="w", host="here", beat_at=now()))
    at_work = found(shell)["worker"]
    assert (at_work["mark"], at_work["advice"]) == ("ok", "")
    assert at_work["says"].endswith("since 3 days, 1 at work")


def _end_runs(home: Home, number: int, at: datetime) -> None:
    ports = store_ports(home.database)
    for _ in range(number):
        task = samples.task()
        run = samples.trajectory(task.id, started_at=at)
        ports.tasks.add(task)
        ports.trajectories.add(run)
        ports.trajectories.end(replace(run, state=TrajectoryState.FINISHED, ended_at=at))


def test_another_hermes_on_the_path(shell: Shell, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder, text in ((ours, "from hermes.cli.main import main"), (theirs, "import agent")):
        folder.mkdir()
        (folder / "hermes").write_text(f"#!/usr/bin/python3\n{text}\n")
        (folder / "hermes").chmod(stat.S_IRWXU)
    first_theirs = found(shell, PATH=f"{theirs}:{ours}")
    assert str(theirs / "hermes") in first_theirs["command"]["says"]
    assert "hermes-cli" in first_theirs["command"]["advice"]
    assert "command" not in found(shell, PATH=f"{tmp_path}:{ours}:{theirs}")


def test_a_home_shared_with_hermes_agent(shell: Shell) -> None:
    shell.root.mkdir()
    (shell.root / "state.db").write_bytes(b"")
    assert "never written" in found(shell)["shared home"]["says"]


def test_the_filesystem_is_that_of_the_nearest_mount() -> None:
    assert filesystem_of(Path("/proc/self")) == "proc"
    assert filesystem_of(Path("/")) == filesystem_of(
        Path("/usr/no/such/folder/..")
    ) or os.path.ismount("/usr")
