"""The files of a task as artefacts, from what its log shows and, when asked, from the disk."""

from __future__ import annotations

import mimetypes
import os
import stat
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from hermes.ids import content_hash
from hermes.ingest.splitting import TaskTurns
from hermes.ingest.turns import Turn, TurnKind
from hermes.records.artefact import Artefact, ArtefactRole
from hermes.rules.actions.reading import action_of
from hermes.rules.artefacts.ledger import FileLedger, Touch
from hermes.rules.artefacts.touches import Done, FileWatch

_NOTED = 500  # characters of what could not be recovered that a step keeps


@dataclass(slots=True)
class TaskFiles:
    """`artefacts` and `unrecovered` are by the place of the turn; `blobs` by their hash."""

    inputs: tuple[Artefact, ...] = ()
    artefacts: dict[int, list[Artefact]] = field(default_factory=dict)
    unrecovered: dict[int, str] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    missing: tuple[str, ...] = ()


class SessionFiles:
    """Follows one session from task to task: what one task wrote, the next is given."""

    def __init__(self, cwd: str | None, limit: int, *, from_disk: bool) -> None:
        self._ledger = FileLedger()
        self._watch = FileWatch(cwd, self._ledger)
        self._limit = limit
        self._disk = FilesOnDisk(Path(cwd), limit) if from_disk and cwd else None

    def of_task(self, task: TaskTurns, ended_at: datetime | None) -> TaskFiles:
        """Whatever the task read and wrote, and `inputs`: what it was given.

        `missing` says why an input is not known; such a task cannot be replayed.
        """
        self._ledger.begin_task()
        touches = dict(self._touches(task))
        given = list(self._ledger.given())
        if self._disk is not None and ended_at is not None:
            self._disk.fill([*given, *(one for some in touches.values() for one in some)], ended_at)
        files = TaskFiles()
        for place, some in touches.items():
            files.artefacts[place] = [self._artefact(touch, files.blobs) for touch in some]
            why = "; ".join(f"{one.name}: {one.why}" for one in some if one.data is None)
            if why:
                files.unrecovered[place] = why[:_NOTED]
        files.inputs = tuple(self._artefact(touch, files.blobs) for touch in given)
        files.missing = tuple(touch.why for touch in given if touch.data is None)
        return files

    def _touches(self, task: TaskTurns) -> Iterable[tuple[int, list[Touch]]]:
        calls: dict[str, Turn] = {}
        for place, turn in enumerate(task.turns):
            if turn.kind is TurnKind.CALL:
                calls[turn.call_id] = turn
            elif turn.kind is TurnKind.RESULT and (call := calls.pop(turn.call_id, None)):
                done = Done(
                    action=action_of(call.tool, call.arguments),
                    output=turn.text,
                    failed=turn.failed,
                    data=turn.data,
                )
                if touches := self._watch.touches(done):
                    yield place, touches

    def _artefact(self, touch: Touch, blobs: dict[str, bytes]) -> Artefact:
        data = touch.data
        if data is not None and len(data) > self._limit:
            data, touch.data, touch.why = None, None, f"it has more than {self._limit:,} bytes"
        content = None
        if data is not None:
            content = content_hash(data)
            blobs[content] = data
        return Artefact(
            name=touch.name,
            role=touch.role,
            content=content,
            size=len(data) if data is not None else 0,
            media_type=_media_type(os.path.splitext(touch.name)[1]),
        )


@lru_cache(maxsize=512)
def _media_type(suffix: str) -> str:
    return mimetypes.guess_type(f"x{suffix}")[0] or "application/octet-stream"


class FilesOnDisk:
    """Files that are still there as a session left them, under the folder it worked in."""

    def __init__(self, folder: Path, limit: int) -> None:
        self._folder = Path(os.path.realpath(folder))
        self._limit = limit

    def fill(self, touches: Iterable[Touch], ended_at: datetime) -> None:
        """Fill in what the log does not show; of a file, only the state after its last write."""
        by_name: dict[str, list[Touch]] = defaultdict(list)
        for touch in touches:
            by_name[touch.name].append(touch)
        for name, some in by_name.items():
            writes = [touch for touch in some if touch.role is ArtefactRole.WRITTEN]
            last = writes[-1:] or some
            if any(touch.data is None for touch in last):
                data = self._content(name, ended_at)
                for touch in last if data is not None else ():
                    touch.data, touch.why = data, ""

    def _content(self, name: str, ended_at: datetime) -> bytes | None:
        """None where there is no such file, it was written later, or it lies outside the folder."""
        path = Path(os.path.realpath(self._folder / name))
        if not path.is_relative_to(self._folder):
            return None
        try:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode) or status.st_size > self._limit:
                return None
            if status.st_mtime > ended_at.timestamp():
                return None
            return path.read_bytes()
        except OSError:
            return None  # gone or unreadable: what the log does not show stays unknown
