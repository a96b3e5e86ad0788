"""DiskLibrary: the skills folder behind the Library port. Only the gate is given this.

A folder becomes another one by a swap in one visible step: the new folder is written and synced
in a slot beside the live ones, then exchanged with what is there, then what came out is checked.
What came out and was not expected is a person's work: it goes back, and the write is refused.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from hermes.errors import Conflict, CorruptData, DiskFailed, Refused
from hermes.library import folders
from hermes.library.filesystem import ExchangeUnsupported, Files
from hermes.library.index import Index
from hermes.library.locks import Locks
from hermes.records.folder import Folder
from hermes.records.intent import Intent

_OLD = ".old"
_TRASH = ".trash"


class DiskLibrary:
    """`work` holds slots and locks; it is used where it shares a disk with the skills."""

    def __init__(self, root: Path, work: Path, index: Index, files: Files | None = None) -> None:
        self._root = root
        self._work = work
        self._index = index
        self._files = files or Files()
        self._locks = Locks(work / "locks")

    def lock(self, *names: str) -> AbstractContextManager[None]:
        return self._locks.hold(*names)

    def path(self, location: str) -> Path:
        return self._root / location  # an absolute location (an external folder) stays itself

    def tree(self, location: str) -> str | None:
        folder = self.load(location)
        return folder.tree() if folder else None

    def load(self, location: str) -> Folder | None:
        path = self.path(location)
        return folders.load(path) if path.is_dir() else None

    def forget(self, location: str) -> None:
        self._index.forget(location)

    def check_writable(self, location: str) -> None:
        """Raises Refused where the folder is somebody else's to write."""
        path = self.path(location)
        reason = None
        if os.path.isabs(location):
            reason = "lives in an external folder, which is only read"
        elif path.is_symlink() or path.parent.is_symlink():
            reason = "is a link to another place, which is only read"
        elif (path / ".git").exists():
            reason = "is a git checkout, which is changed by git"
        if reason:
            raise Refused(f"{path} {reason}", hint="edit it there, or copy it under a new name")

    def exchange(self, intent: Intent, folder: Folder | None) -> None:
        """Make the intended tree live, or raise with the disk as it was."""
        self.check_writable(intent.location)
        target = self.path(intent.location)
        slot = self._slot(intent)
        with self._failing(target):
            self._clear(slot)
            if folder is not None:
                self._stage(slot, folder)
            has_old, has_new = intent.old_tree is not None, folder is not None
            self._swap(target, slot, has_old=has_old, has_new=has_new)
            if has_old and _tree_or_none(slot) != intent.old_tree:
                self._swap_back(target, slot, has_new=has_new)
                raise Conflict(
                    f"{target} was changed on disk during the write; nothing was overwritten",
                    hint="read the skill again, then retry",
                )
            self._files.sync_folder(target.parent)
            self._clear(slot)
        self._index.forget(intent.location)

    def settle_crash(self, intent: Intent) -> bool:
        """Look at what a dead process left; True when the intended tree is live.

        An edit that a person made between the dead process's check and its swap is in the slot:
        it goes back. A half-done swap on a disk that cannot exchange is undone.
        """
        target, slot = self.path(intent.location), self._slot(intent)
        with self._failing(target):
            old = slot.with_name(slot.name + _OLD)
            if old.exists() and not target.exists():
                self._files.move(old, target)
            live = _tree_or_none(target)
            if live == intent.new_tree and intent.old_tree is not None:
                came_out = _tree_or_none(slot)
                if came_out not in (None, intent.old_tree):
                    self._swap_back(target, slot, has_new=intent.new_tree is not None)
                    live = came_out
            if target.parent.is_dir():
                self._files.sync_folder(target.parent)
            self._clear(slot)
        self._index.forget(intent.location)
        return live == intent.new_tree

    def _stage(self, slot: Path, folder: Folder) -> None:
        self._files.make_folder(slot)
        made = {slot}
        for name, file in sorted(folder.files.items()):
            path = slot / name
            for parent in reversed(path.relative_to(slot).parents):
                if slot / parent not in made:
                    self._files.make_folder(slot / parent)
                    made.add(slot / parent)
            self._files.write(path, file.data, executable=file.executable)
        for made_folder in sorted(made, reverse=True):
            self._files.sync_folder(made_folder)
        self._files.sync_folder(slot.parent)

    def _swap(self, target: Path, slot: Path, *, has_old: bool, has_new: bool) -> None:
        """After this the slot holds what was live, and the target what was in the slot."""
        if not target.parent.is_dir():
            self._files.make_folder(target.parent)
            self._files.sync_folder(target.parent.parent)
        try:
            if has_old and has_new:
                self._exchange(target, slot)
            elif has_new:
                self._files.move(slot, target)
            else:
                self._files.move(target, slot)
        except (FileExistsError, FileNotFoundError):
            raise Conflict(
                f"{target} appeared or vanished on disk during the write",
                hint="read the skill again, then retry",
            ) from None

    def _exchange(self, target: Path, slot: Path) -> None:
        try:
            self._files.exchange(slot, target)
        except ExchangeUnsupported:
            # Two steps where one is not to be had: the journal covers the moment between them.
            old = slot.with_name(slot.name + _OLD)
            self._files.move(target, old)
            self._files.move(slot, target)
            self._files.move(old, slot)

    def _swap_back(self, target: Path, slot: Path, *, has_new: bool) -> None:
        if has_new:
            self._exchange(target, slot)
        else:
            self._files.move(slot, target)
        self._files.sync_folder(target.parent)
        self._clear(slot)

    def _clear(self, slot: Path) -> None:
        """Renamed first: a slot is whole or not there, so half a removal misleads nobody."""
        trash = slot.with_name(slot.name + _TRASH)
        self._files.remove(trash)
        if os.path.lexists(slot):
            self._files.move(slot, trash)
            self._files.remove(trash)

    def _slot(self, intent: Intent) -> Path:
        """Beside the skills, out of every reader's sight, and on the same disk."""
        self._files.make_folder(self._root)
        self._files.make_folder(self._work)
        if os.stat(self._work).st_dev == os.stat(self._root).st_dev:
            place = self._work / "slots"
        else:
            place = self._root / ".hermes-loop"
        self._files.make_folder(place)
        return place / intent.id

    @contextmanager
    def _failing(self, target: Path) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise DiskFailed(
                f"{target} could not be written: {error.strerror or error}",
                hint="the old state is whole; free space or repair the disk, then retry",
            ) from error


def _tree_or_none(path: Path) -> str | None:
    """The hash of a folder; None where there is none, "" where it cannot be read as a skill."""
    if not path.is_dir():
        return None
    try:
        return folders.load(path).tree()
    except CorruptData:
        return ""
