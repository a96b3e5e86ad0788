"""One server for all tests that do not end it, on SQLite."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hermes.testing.served import Reply, Served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served") / "till") as served:
        yield served


def is_problem(reply: Reply, status: int) -> bool:
    """Of the one shape that every error has."""
    told = reply.json
    return (
        reply.status == told["status"] == status
        and reply.headers["content-type"] == "application/problem+json"
        and bool(told["title"] and told["detail"] and told["type"])
    )
