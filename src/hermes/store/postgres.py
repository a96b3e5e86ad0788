"""PostgreSQL as the store's database, for teams. Importing this needs the `postgres` extra."""

from __future__ import annotations

import select
import struct
from contextlib import AbstractContextManager
from functools import lru_cache
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from hermes.errors import (
    ConfigError,
    Conflict,
    CorruptData,
    DiskFailed,
    HermesError,
    MissingPart,
    NotFound,
    Refused,
    StoreUnavailable,
    WrongCall,
)
from hermes.store.dialect import BUSY_SECONDS

_GROUND = Path(__file__).parent / "migrations" / "ground.postgres.sql"
_MIGRATING = 0x6865726D6573  # the advisory lock's number: "hermes"
_CONNECT_SECONDS = 10

# Our own schema first, then whatever the server would search: the vector type may lie anywhere.
# A commit that returned must survive a crash, whatever the server's default is. A search for the
# nearest vectors goes on until enough of them are of the scope that was asked for. Our statements
# are short: compiling one would take longer than running it.
_SET_UP = """
SELECT
    set_config('search_path', concat_ws(', ', 'hermes',
        NULLIF(current_setting('search_path'), '')), false),
    set_config('lock_timeout', %s, false),
    set_config('synchronous_commit', CASE current_setting('synchronous_commit')
        WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false),
    set_config('jit', 'off', false),
    set_config('hnsw.iterative_scan', 'relaxed_order', false),
    set_config('hnsw.max_scan_tuples', '200000', false),
    set_config('hnsw.ef_search', '60', false)
"""


class PostgresDialect:
    name = "postgres"
    begin = "BEGIN"
    begin_snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    driver_error = psycopg.Error

    def __init__(self, url: str, busy_seconds: float = BUSY_SECONDS) -> None:
        self._url = url
        self._busy = f"{busy_seconds * 1000:.0f}ms"
        try:
            parts = conninfo_to_dict(url)
        except psycopg.ProgrammingError:
            raise ConfigError(
                "the database URL cannot be read",
                hint="postgresql://user:password@host:5432/name, with % in the password as %25",
            ) from None  # its text may hold the password
        self._database = parts.get("dbname") or parts.get("user") or "postgres"
        self.where = _without_password(parts)

    def connect(self) -> psycopg.Connection[Any]:
        try:
            connection = psycopg.connect(
                self._url,
                autocommit=True,
                connect_timeout=_CONNECT_SECONDS,
                client_encoding="utf8",
                application_name="hermes-loop",
            )
            connection.execute(_SET_UP, (self._busy,))
        except psycopg.Error as error:
            raise self._unreachable(error) from error
        return connection

    def usable(self, connection: psycopg.Connection[Any]) -> bool:
        """Nothing may arrive on an idle connection but the news that the server hung up."""
        if connection.closed:
            return False
        poll = select.poll()
        poll.register(connection.fileno(), select.POLLIN)
        try:
            while poll.poll(0):  # first its last words, then the end
                connection.pgconn.consume_input()
        except psycopg.OperationalError:
            connection.close()
        return not connection.closed

    def in_transaction(self, connection: psycopg.Connection[Any]) -> bool:
        return connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE

    def unanswered(self, connection: psycopg.Connection[Any]) -> AbstractContextManager[object]:
        return connection.pipeline()

    def vector_in(self, vector: bytes) -> str:
        return _vector_text(vector)

    def vector_out(self, stored: str) -> bytes:
        numbers = [float(number) for number in stored[1:-1].split(",")]
        return struct.pack(f"<{len(numbers)}f", *numbers)

    def schema_version(self, connection: psycopg.Connection[Any]) -> int:
        if not _has_ground(connection):
            return 0
        row = connection.execute("SELECT version FROM hermes.schema_version").fetchone()
        if row is None:
            raise CorruptData("the schema's version is gone", where=self.where)
        return int(row[0])

    def prepare_schema(self, connection: psycopg.Connection[Any]) -> None:
        connection.execute(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
        if _has_ground(connection):
            return
        try:
            self.run_script(connection, _GROUND.read_text(encoding="utf-8"))
        except (psycopg.errors.FeatureNotSupported, psycopg.errors.UndefinedFile) as error:
            raise MissingPart(
                f"{self.where}: {_first_line(error)}",
                hint="install pgvector 0.8 or newer on the database server",
            ) from error
        except psycopg.errors.InsufficientPrivilege as error:
            command = f'psql -d {self._database} -c "CREATE EXTENSION vector"'
            raise StoreUnavailable(
                f"{self.where}: {_first_line(error)}", hint=f"let a superuser run: {command}"
            ) from error

    def run_script(self, connection: psycopg.Connection[Any], script: str) -> None:
        connection.execute(script.encode())

    def set_schema_version(self, connection: psycopg.Connection[Any], version: int) -> None:
        connection.execute("UPDATE hermes.schema_version SET version = %s", (version,))

    def translate(self, error: Exception) -> Exception:
        state = getattr(error, "sqlstate", None)
        if state is None:  # the driver's own: a lost connection, or a fault of ours
            lost = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
            return self._lost(error) if lost else error
        for prefix, translated in self._meanings(error):
            if state.startswith(prefix):
                return translated
        return error

    def _meanings(self, error: Exception) -> tuple[tuple[str, HermesError], ...]:
        """What PostgreSQL's states mean to us; the first prefix that fits."""
        text = _first_line(error)
        retry = StoreUnavailable(f"{self.where} is busy: {text}", hint="try again")
        disk = DiskFailed(f"{self.where}: {text}", hint="free some space on the database server")
        return (
            ("23505", Conflict(f"it is there already ({text})")),
            ("23503", NotFound(f"it refers to something that is not there ({text})")),
            ("22", WrongCall(f"the store refuses the value ({text})")),
            ("23", WrongCall(f"the store refuses the value ({text})")),
            ("P0001", Refused(text)),
            ("40", retry),
            ("55P03", retry),
            ("53100", disk),
            ("58030", disk),
            ("XX001", CorruptData(text, where=self.where, hint="restore a backup")),
            ("XX002", CorruptData(text, where=self.where, hint="reindex, or restore a backup")),
            ("42501", StoreUnavailable(f"{self.where}: {text}", hint="grant it to this user")),
            ("53", retry),
            ("08", self._lost(error)),
            ("57", self._lost(error)),
        )

    def _lost(self, error: Exception) -> StoreUnavailable:
        return StoreUnavailable(
            f"the connection to {self.where} was lost: {_first_line(error)}",
            hint="try again when the server is back",
        )

    def _unreachable(self, error: psycopg.Error) -> StoreUnavailable:
        text = _first_line(error)
        hint = "start the server, or correct host, port, user or password in the database URL"
        if "does not exist" in text and str(self._database) in text:
            hint = f"create it: createdb {self._database}"
        return StoreUnavailable(f"cannot reach {self.where}: {text}", hint=hint)


def _has_ground(connection: psycopg.Connection[Any]) -> bool:
    """Asked of the table itself: to_regclass may answer from before the lock was granted."""
    row = connection.execute(
        "SELECT 1 FROM pg_catalog.pg_tables"
        " WHERE schemaname = 'hermes' AND tablename = 'schema_version'"
    ).fetchone()
    return row is not None


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0]


@lru_cache(maxsize=2)
def _vector_text(vector: bytes) -> str:
    """Cached for two: a search sends its query with every statement, and perhaps a centre.

    Nine digits say which float32 it was, and are written and read faster than seventeen.
    """
    if len(vector) % 4:
        raise ValueError(f"{len(vector)} bytes are no float32 vector")
    count = len(vector) // 4
    return "[" + ",".join(["%.9g"] * count) % struct.unpack(f"<{count}f", vector) + "]"


def _without_password(parts: dict[str, Any]) -> str:
    user = f"{parts['user']}@" if parts.get("user") else ""
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"postgresql://{user}{parts.get('host') or ''}{port}/{parts.get('dbname') or ''}"
