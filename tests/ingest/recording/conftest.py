"""Conversations made by hand, and a place to record them: every test runs on both databases."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes.ingest.recorder import RecordingPorts
from hermes.store.blobs import DiskBlobs
from hermes.store.database import Database
from hermes.testing.fixtures import *  # noqa: F403
from hermes.testing.store import store_ports


@pytest.fixture
def recording(database: Database, tmp_path: Path) -> RecordingPorts:
    return recording_ports(database, tmp_path / "blobs")


@pytest.fixture
def make_recording(tmp_path: Path) -> Callable[[Database], RecordingPorts]:
    return lambda database: recording_ports(database, tmp_path / "blobs")


def recording_ports(database: Database, blobs: Path) -> RecordingPorts:
    ports = store_ports(database)
    return RecordingPorts(
        transactions=database,
        sessions=ports.sessions,
        tasks=ports.tasks,
        trajectories=ports.trajectories,
        imported_files=ports.imported_files,
        blobs=DiskBlobs(blobs),
    )
