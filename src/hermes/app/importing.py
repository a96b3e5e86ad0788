"""Session logs of other agents, into this home's store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.ingest.conversation import Conversation
    from hermes.ingest.importer import ImportReport, Progress
    from hermes.ports import Blobs


def import_logs(
    home: Home,
    paths: Sequence[Path],
    *,
    format: str = "auto",
    from_disk: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Read every log that is new or has grown; `from_disk` also looks for files still there."""
    from hermes.app.home import system_clock
    from hermes.ingest.crew import Workers
    from hermes.ingest.importer import Importer
    from hermes.ingest.recorder import Recorder, RecordingPorts
    from hermes.store.tables.imported_file import ImportedFileTable
    from hermes.store.tables.session import SessionTable
    from hermes.store.tables.task import TaskTable
    from hermes.store.tables.trajectory import TrajectoryTable

    database = home.database
    imported = ImportedFileTable(database)
    ports = RecordingPorts(
        transactions=database,
        sessions=SessionTable(database),
        tasks=TaskTable(database),
        trajectories=TrajectoryTable(database),
        imported_files=imported,
        blobs=blobs(home),
    )
    importer = Importer(
        recorder=Recorder(ports, from_disk=from_disk),
        imported=imported,
        read=_conversations,
        clock=system_clock(),
        how="from disk" if from_disk else "",
        workers=Workers.for_this_machine(),
    )
    return importer.run(paths, format, progress)


def _conversations(path: Path, format: str) -> Iterator[Conversation]:
    """The readers are loaded by the process that reads, and for large imports that is another."""
    from hermes.ingest.reading import conversations

    return conversations(path, format)


def blobs(home: Home) -> Blobs:
    """Where the raw bytes of artefacts are, for their owner only."""
    from hermes.store.blobs import DiskBlobs

    return DiskBlobs(home.settings.paths.blobs_dir)
