"""PostgreSQL as the store's database: gone and back, and never a password in a message."""

from __future__ import annotations

import subprocess
import sys
import traceback
from collections.abc import Iterator

import psycopg
import pytest

from hermes.errors import ConfigError, FutureSchema, StoreUnavailable
from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.store.postgres import PostgresDialect
from hermes.store.tables.session import SessionTable
from hermes.store.tables.skill import SkillTable
from hermes.testing import samples
from hermes.testing.postgres import TestServer

pytestmark = pytest.mark.postgres


@pytest.fixture
def database(postgres_url: str) -> Iterator[Database]:
    opened = open_database(postgres_url)
    yield opened
    opened.close()


def test_an_unreachable_server_is_named_without_the_password() -> None:
    with pytest.raises(StoreUnavailable) as caught:
        open_database("postgresql://ana:s3cret@127.0.0.1:1/team")
    assert "postgresql://ana@127.0.0.1:1/team" in caught.value.message
    assert "start the server" in caught.value.hint
    assert "s3cret" not in str(caught.value)


def test_a_url_that_cannot_be_read_is_not_repeated() -> None:
    password = "s3%cret"  # libpq quotes it in its complaint about the percent sign
    url = f"postgresql://ana:{password}@host/team"
    with pytest.raises(ConfigError) as caught:
        open_database(url)
    assert password not in "".join(traceback.format_exception(caught.value))
    assert "%25" in caught.value.hint


def test_a_missing_database_says_how_to_make_it(postgres_url: str) -> None:
    name = postgres_url.partition("?")[0].rpartition("/")[2]
    with pytest.raises(StoreUnavailable, match="createdb nowhere"):
        open_database(postgres_url.replace(name, "nowhere"))


def test_another_scheme_is_refused() -> None:
    with pytest.raises(ConfigError, match="mysql"):
        open_database("mysql://localhost/team")


def test_a_newer_schema_is_refused(postgres_server: TestServer) -> None:
    url = postgres_server.empty_database()
    database = open_database(url)
    database.ask("UPDATE schema_version SET version = 9999")
    with pytest.raises(FutureSchema, match="9999"):
        open_database(url)
    database.close()
    postgres_server.drop(url)


def test_our_tables_lie_beside_another_programs(postgres_server: TestServer) -> None:
    url = postgres_server.empty_database()
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("CREATE TABLE users (theirs TEXT)")
        other.execute("CREATE TABLE schema_version (version TEXT)")
        database = open_database(url)
        SessionTable(database).add(samples.session())
        columns = other.execute("SELECT * FROM users").description
        assert columns is not None
        assert [column.name for column in columns] == ["theirs"]
    database.close()
    postgres_server.drop(url)


def test_a_connection_that_was_cut_while_idle_is_not_noticed(
    database: Database, postgres_server: TestServer, postgres_url: str
) -> None:
    sessions = SessionTable(database)
    sessions.add(samples.session())
    postgres_server.hang_up(postgres_url)
    sessions.add(samples.session())
    postgres_server.hang_up(postgres_url)
    with database.transaction():
        sessions.add(samples.session())
    assert len(sessions.page()) == 3


def test_a_connection_that_is_cut_in_a_transaction_undoes_it(
    database: Database, postgres_server: TestServer, postgres_url: str
) -> None:
    sessions = SessionTable(database)

    def lose_the_server_half_way() -> None:
        with database.transaction():
            sessions.add(samples.session())
            postgres_server.hang_up(postgres_url)
            sessions.add(samples.session())

    with pytest.raises(StoreUnavailable, match="lost"):
        lose_the_server_half_way()
    assert sessions.page() == []
    sessions.add(samples.session())


def test_a_database_that_was_gone_is_used_again_when_it_is_back(
    database: Database, postgres_server: TestServer, postgres_url: str
) -> None:
    sessions = SessionTable(database)
    sessions.add(samples.session())
    postgres_server.hide(postgres_url)
    try:
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                sessions.page()
    finally:
        postgres_server.show(postgres_url)
    assert len(sessions.page()) == 1


def test_a_lock_that_is_never_freed_is_an_error(database: Database, postgres_url: str) -> None:
    impatient = Database(PostgresDialect(postgres_url, busy_seconds=0.05))
    with database.transaction():
        SkillTable(database).add(samples.skill())
        with pytest.raises(StoreUnavailable, match="busy"):
            SkillTable(impatient).add(samples.skill())
    SkillTable(impatient).add(samples.skill())
    impatient.close()


def test_a_commit_waits_for_the_disk(database: Database) -> None:
    ((setting,),) = database.ask("SELECT current_setting('synchronous_commit')")
    assert setting != "off"


def test_every_text_is_compared_byte_by_byte(database: Database) -> None:
    """Asked of the catalogue, because the server of the tests knows no other order to show it."""
    collations = database.ask(
        "SELECT collname, COUNT(*) FROM pg_attribute"
        " JOIN pg_class ON pg_class.oid = attrelid"
        " JOIN pg_collation ON pg_collation.oid = attcollation"
        " WHERE relnamespace = to_regnamespace('hermes') AND relkind = 'r' AND attnum > 0"
        " GROUP BY collname"
    )
    assert [name for name, _ in collations] == ["C"]
    assert collations[0][1] > 100


def test_the_driver_is_imported_for_its_own_urls_only() -> None:
    """And where it is missing, the message says what to install."""
    script = """
import sys, tempfile
from hermes.errors import MissingPart
from hermes.store.open import open_database
open_database(tempfile.mkdtemp() + "/loop.db")
assert "psycopg" not in sys.modules and "numpy" not in sys.modules
sys.modules["psycopg"] = None
try:
    open_database("postgresql://localhost/team")
except MissingPart as error:
    print(error.hint)
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == "pip install 'hermes-loop[postgres]'\n", done.stderr
