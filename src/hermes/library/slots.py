"""Slots: where a folder waits before it goes live, and what it replaced until that is certain.

They lie beside the skills, out of every reader's sight, in a place that a folder can be renamed
to and from. Each belongs to one intent of the journal and bears its id. A slot is whole or not
there: it is staged under another name, and leaves under another name.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # every open asks whether a slot was left, and hardly any needs more
    from hermes.library.filesystem import Files
    from hermes.records.folder import Folder

_STAGE = ".stage"
_OLD = ".old"
_TRASH = ".trash"
_RESCUED = "rescued"
_NOWHERE = ".hermes-loop-no-such-folder"


@dataclass(frozen=True, slots=True)
class Slot:
    """`old` is used where two folders cannot be exchanged in one step, and only for a moment."""

    path: Path

    @property
    def old(self) -> Path:
        return self.path.with_name(self.path.name + _OLD)

    @property
    def staging(self) -> Path:
        return self.path.with_name(self.path.name + _STAGE)


class Slots:
    def __init__(self, root: Path, work: Path, files: Files) -> None:
        self._root = root
        self._work = work
        self._files = files

    def of(self, intent_id: str) -> Slot:
        """The slot of an intent; the place for it is made, the slot itself is not."""
        self._files.make_folder(self._work)
        place = _places(self._root, self._work)[0 if _share_a_mount(self._work, self._root) else 1]
        self._files.make_folder(place)
        return Slot(place / intent_id)

    def stage(self, slot: Slot, folder: Folder) -> None:
        """Write the folder into its slot; all of it is on disk when the slot appears."""
        stage = slot.staging
        self._files.remove(stage)
        self._files.make_folder(stage)
        made = {stage}
        for name, file in sorted(folder.files.items()):
            path = stage / name
            for parent in reversed(path.relative_to(stage).parents):
                if stage / parent not in made:
                    self._files.make_folder(stage / parent)
                    made.add(stage / parent)
            self._files.write(path, file.data, executable=file.executable)
        for made_folder in sorted(made, reverse=True):
            self._files.sync_folder(made_folder)
        self._files.move(stage, slot.path)
        self._files.sync_folder(slot.path.parent)

    def discard(self, path: Path) -> None:
        """Renamed first, so that half a removal is never taken for a slot."""
        trash = path.with_name(path.name + _TRASH)
        with suppress(FileNotFoundError, FileExistsError):  # another process was faster
            self._files.move(path, trash)
        self._files.remove(trash)

    def rescue(self, path: Path) -> Path:
        """Put something that only a person can have written where nothing removes it."""
        kept = self._work / _RESCUED if path.parent.parent == self._work else path.parent / _RESCUED
        self._files.make_folder(kept)
        self._files.move(path, kept / path.name)
        self._files.sync_folder(kept)
        return kept / path.name

    def sweep(self, pending: Callable[[], Collection[str]]) -> None:
        """Remove what processes left that died after their end was committed.

        `pending` is asked after the listing: an intent is committed before its slot is made, so
        what is in the list and not in the answer belongs to nobody any more.
        """
        found = list(_leftovers(self._root, self._work))
        keep = pending() if found else ()
        for path in found:
            if path.name.partition(".")[0] not in keep:
                if path.suffix == _TRASH:
                    self._files.remove(path)
                else:
                    self.discard(path)  # its owner may be about to do the same


def any_leftover(root: Path, work: Path) -> bool:
    """Whether there is something in a slot: a write that goes on now, or that never ended."""
    return next(_leftovers(root, work), None) is not None


def _places(root: Path, work: Path) -> tuple[Path, Path]:
    return work / "slots", root / ".hermes-loop"


def _leftovers(root: Path, work: Path) -> Iterator[Path]:
    for place in _places(root, work):
        with suppress(FileNotFoundError):
            for name in os.listdir(place):
                if name != _RESCUED:
                    yield place / name


def _share_a_mount(one: Path, other: Path) -> bool:
    """Whether a folder can be renamed from one to the other.

    The system compares the mounts before it looks for the file, so trying to rename one that is
    not there tells. Device numbers do not: two bind mounts of one disk have the same.
    """
    try:
        os.rename(one / _NOWHERE, other / _NOWHERE)
    except FileNotFoundError:
        return True
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        return False
    return True
