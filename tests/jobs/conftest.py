"""Queues on SQLite and on PostgreSQL, each with a store of its own beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hermes.store.open import open_database
from hermes.testing.fixtures import *  # noqa: F403
from hermes.testing.in_memory import *  # noqa: F403
from hermes.testing.job_yard import Yard


@pytest.fixture
def yard(empty_address: str, tmp_path: Path) -> Iterator[Yard]:
    folder = tmp_path / "yard"
    folder.mkdir()
    queue = empty_address if "://" in empty_address else f"sqlite:///{folder / 'jobs.db'}"
    with closing(open_database(empty_address)) as database:
        made = Yard(empty_address, queue, folder, database)
        yield made
        made.close()
