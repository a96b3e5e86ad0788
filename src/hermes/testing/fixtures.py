"""Pytest fixtures for whoever tests a store: each database the product supports, empty and real.

Use them with `from hermes.testing.fixtures import *` in a conftest; a test that asks for `database`
runs once on each.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes.store.database import Database
from hermes.store.open import open_database
from hermes.testing.postgres import TestServer
from hermes.testing.store import StorePorts, store_ports

__all__ = ["address", "database", "empty_address", "ports", "postgres_server", "postgres_url"]

BOTH = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[TestServer]:
    server = TestServer()
    yield server
    server.stop()


@pytest.fixture
def postgres_url(postgres_server: TestServer) -> Iterator[str]:
    url = postgres_server.database()
    yield url
    postgres_server.give_back(url)


@pytest.fixture(params=BOTH)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a database with our schema is: a file path or a URL."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    path = str(tmp_path / "loop.db")
    open_database(path).close()
    return path


@pytest.fixture(params=BOTH)
def empty_address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a database could be, with nothing in it yet."""
    if request.param == "sqlite":
        yield str(tmp_path / "empty.db")
        return
    server: TestServer = request.getfixturevalue("postgres_server")
    url = server.empty_database()
    yield url
    server.drop(url)


@pytest.fixture
def database(address: str) -> Iterator[Database]:
    opened = open_database(address)
    yield opened
    opened.close()


@pytest.fixture
def ports(database: Database) -> StorePorts:
    return store_ports(database)
