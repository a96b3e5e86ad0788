"""Many at once, killed in the middle, the database away: nothing lost, and clear words."""

from __future__ import annotations

import http.client
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hermes.store.open import open_database
from hermes.store.verify import verify
from hermes.testing.fixtures import BOTH
from hermes.testing.postgres import TestServer
from hermes.testing.served import Reply, Served

from .conftest import is_problem

WRITERS = 50
EACH = 1
SAID_BY_ALL = "The tulip host is for all builds"


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest) -> str | None:
    return request.getfixturevalue("postgres_url") if request.param == "postgres" else None


def texts_in(home: Path, url: str | None) -> list[str]:
    """What is kept, read by another process's eyes; and the database is whole."""
    database = open_database(url or str(home / "loop" / "loop.db"))
    try:
        assert verify(database) == []
        return [row[0] for row in database.ask("SELECT text FROM memories")]
    finally:
        database.close()


def test_fifty_writers_at_once(tmp_path: Path, database_url: str | None) -> None:
    home = tmp_path / "home"
    with Served(home, database_url) as served:
        together = threading.Barrier(WRITERS)

        def write(writer: int) -> list[int]:
            together.wait()
            own = [f"Shelf {100 + writer} holds box {item}" for item in range(EACH)]
            codes = [served.add(text, kind="episodic").status for text in own]
            assert own[0] in served.found(own[0])
            return [*codes, served.add(SAID_BY_ALL).status]

        with ThreadPoolExecutor(WRITERS) as writers:
            codes = Counter(code for some in writers.map(write, range(WRITERS)) for code in some)
        assert codes == {201: WRITERS * EACH + 1, 200: WRITERS - 1}
        assert SAID_BY_ALL in served.found("which host is for builds")
        assert served.end() == 0
        assert served.warnings == ""
    kept = texts_in(home, database_url)
    assert len(kept) == len(set(kept)) == WRITERS * EACH + 1


def test_killed_while_writing(tmp_path: Path, database_url: str | None) -> None:
    seed = int(os.environ.get("HERMES_CHAOS_SEED", time.time_ns() % 1_000_000))
    print(f"HERMES_CHAOS_SEED={seed}")
    home, acknowledged = tmp_path / "home", set[str]()
    with Served(home, database_url) as served:
        served.found("nothing yet")  # all is loaded: what is killed is the writing

        def write(writer: int) -> None:
            for item in range(1_000):
                text = f"Crate {writer} of {item} is full"
                try:
                    reply = served.add(text, kind="episodic")
                except (OSError, http.client.HTTPException):
                    return
                assert reply.status == 201
                acknowledged.add(text)

        with ThreadPoolExecutor(8) as writers:
            done = [writers.submit(write, number) for number in range(8)]
            while not acknowledged:
                time.sleep(0.01)
            time.sleep(random.Random(seed).uniform(0.05, 0.8))
            served.process.kill()
            for one in done:
                one.result()
    kept = texts_in(home, database_url)
    assert acknowledged <= set(kept)
    assert len(kept) - len(acknowledged) <= 8  # done, and the answer was lost


@pytest.mark.postgres
def test_a_database_that_goes_and_comes_back(
    tmp_path: Path, postgres_server: TestServer, postgres_url: str
) -> None:
    def all_problems(*replies: Reply) -> bool:
        return all(is_problem(one, 503) and one.headers["retry-after"] for one in replies)

    with Served(tmp_path / "home", postgres_url) as served:
        assert served.add("the gate opens at six").status == 201
        assert served.found("when does the gate open") == ["the gate opens at six"]
        postgres_server.hide(postgres_url)
        for _ in range(2):
            assert all_problems(
                served.add("the gate closes at nine"),
                served.search("when does the gate open"),
                served.ask("GET", "/healthz"),
            )
        postgres_server.show(postgres_url)
        assert served.ask("GET", "/healthz").status == 200
        assert served.add("the gate closes at nine").status == 201
        assert set(served.found("gate")) == {"the gate opens at six", "the gate closes at nine"}
        assert served.end() == 0


@pytest.mark.parametrize(
    ("number", "host"), [(signal.SIGINT, "localhost"), (signal.SIGTERM, "::1")]
)
def test_a_signal_ends_it_in_order(tmp_path: Path, number: int, host: str) -> None:
    if host == "::1" and not Path("/proc/net/if_inet6").exists():
        pytest.skip("this machine has no IPv6")
    with Served(tmp_path / "home", None, "--port", "0", "--host", host) as served:
        assert "open to whoever is on this machine" in served.told
        kept = served.add("the bell is cracked").json["memory"]["id"]
        assert served.found("the bell") == ["the bell is cracked"]
        with socket.create_connection((served.host, served.port)):  # somebody who says nothing
            assert served.end(number) == 0
        assert served.warnings == ""
    database = open_database(str(tmp_path / "home" / "loop" / "loop.db"))
    rows = database.ask("SELECT id, last_recalled_at FROM memories")
    database.close()
    assert [(row[0], row[1] is not None) for row in rows] == [(kept, True)]


def refused(home: Path, *words: str) -> tuple[int, str]:
    """How it ends where it does not even begin."""
    environ = {**os.environ, "HERMES_HOME": str(home), "HOME": str(home.parent)}
    command = [sys.executable, "-m", "hermes", "serve", *words]
    done = subprocess.run(
        command, env=environ, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return done.returncode, done.stderr


def test_where_it_cannot_be_served_one_line_says_why(tmp_path: Path) -> None:
    home = tmp_path / "home"
    code, said = refused(home, "--host", "0.0.0.0")
    assert (code, "no users" in said, home.exists()) == (2, True, False)
    assert refused(home, "--port", "65536")[0] == 2
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, said = refused(home, "--port", str(taken.getsockname()[1]))
    assert (code, "in use" in said) == (1, True)
    home.mkdir()
    (home / "loop").write_text("not a folder")
    assert refused(home, "--port", "0")[0] == 1
