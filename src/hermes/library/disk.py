"""DiskLibrary: the skills folder behind the Library port. Only the gate is given this.

A folder becomes another one by a swap in one visible step: the new folder is written and synced
in a slot beside the live ones, then exchanged with what is there, then what came out is checked.
What came out and was not expected is a person's work: it goes back, and the write is refused.
What came out and was expected stays in the slot until the store has committed the end, so that
the swap can be taken back on a disk that has no byte to spare.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from hermes.errors import Conflict, CorruptData, DiskFailed, Refused
from hermes.library import folders
from hermes.library.filesystem import ExchangeUnsupported, Files
from hermes.library.index import Index, Seen
from hermes.library.locks import Locks
from hermes.library.places import check_root
from hermes.library.slots import Slot, Slots
from hermes.records.folder import Folder
from hermes.records.intent import Intent


class DiskLibrary:
    """`work` holds locks and slots; slots move below the skills where those are another mount."""

    def __init__(self, root: Path, work: Path, index: Index, files: Files | None = None) -> None:
        self._root = root
        self._index = index
        self._files = files or Files()
        self._locks = Locks(work / "locks")
        self._slots = Slots(root, work, self._files)

    def lock(self, *names: str) -> AbstractContextManager[None]:
        return self._locks.hold(*names)

    def path(self, location: str) -> Path:
        return self._root / location  # an absolute location (an external folder) stays itself

    def tree(self, location: str) -> str | None:
        folder = self.load(location)
        return folder.tree() if folder else None

    def load(self, location: str) -> Folder | None:
        path = self.path(location)
        return folders.load(path) if folders.is_folder(path) else None

    def forget(self, location: str) -> None:
        self._index.forget(location)

    def check_writable(self, location: str) -> None:
        """Raises Refused where the folder is somebody else's to write."""
        reason = self._not_ours(location)
        if reason:
            raise Refused(
                f"{self.path(location)} {reason}", hint="edit it there, or copy it under a new name"
            )

    def _not_ours(self, location: str) -> str | None:
        if os.path.isabs(location):
            return "lives in an external folder, which is only read"
        path = self.path(location)
        category = path.parent if path.parent != self._root else None
        for folder in (path, category) if category else (path,):
            if folder.is_symlink():
                return "is a link to another place, which is only read"
            if os.path.lexists(folder / ".git"):
                return "is a git checkout, which is changed by git"
        if category and any(os.path.lexists(category / name) for name in folders.SKILL_FILES):
            return f"would lie inside the skill '{category.name}', which is no category"
        return None

    def exchange(self, intent: Intent, folder: Folder | None) -> None:
        """Make the intended tree live. What was there stays in the slot until `finish`."""
        self.check_writable(intent.location)
        check_root(self._root, self._index)
        target = self.path(intent.location)
        has_old, has_new = intent.old_tree is not None, folder is not None
        with _failing(target):
            self._files.make_folder(self._root)
            slot = self._slots.of(intent.id)
            if folder is not None:
                self._slots.stage(slot, folder)
            self._swap(target, slot, has_old=has_old, has_new=has_new)
            if has_old and _tree_or_none(slot.path) != intent.old_tree:
                raise Conflict(
                    f"{target} was changed on disk during the write; nothing was overwritten",
                    hint="read the skill again, then retry",
                )
            self._files.sync_folder(target.parent)

    def withdraw(self, intent: Intent) -> None:
        """Make the disk what it was before `exchange`, however far that came."""
        target = self.path(intent.location)
        with _failing(target):
            slot = self._slots.of(intent.id)
            live = self._mend(intent, target, slot)
            if live == intent.new_tree != intent.old_tree:
                self._swap_back(intent, target, slot)
            self._clear(intent, slot)

    def settle_crash(self, intent: Intent) -> bool:
        """Look at what a dead process left; True when the intended tree is live."""
        check_root(self._root, self._index)
        target = self.path(intent.location)
        with _failing(target):
            slot = self._slots.of(intent.id)
            live = self._mend(intent, target, slot)
            if target.parent.is_dir():
                self._files.sync_folder(target.parent)
            if live != intent.new_tree:
                self._clear(intent, slot)
        return live == intent.new_tree

    def finish(self, intent: Intent) -> str | None:
        """Let go of what was replaced; says where it put what the store does not know."""
        try:
            rescued = self._clear(intent, self._slots.of(intent.id))
            self._remember(intent)
        except OSError:
            return None  # the end is committed; what could not be removed is swept at some open
        return rescued

    def _remember(self, intent: Intent) -> None:
        """A folder of ours that is missed later was removed by somebody, not never there."""
        if intent.new_tree is None:
            self._index.forget(intent.location)
            return
        category, _, name = intent.location.rpartition("/")
        self._index.put([Seen(intent.location, name, category, intent.new_tree, "", "")])

    def sweep(self, pending: Callable[[], Collection[str]]) -> None:
        """Remove the slots of intents that are not pending."""
        with _failing(self._root):
            self._slots.sweep(pending)

    def _swap(self, target: Path, slot: Slot, *, has_old: bool, has_new: bool) -> None:
        """After this the slot holds what was live, and the target what was in the slot."""
        if not target.parent.is_dir():
            self._files.make_folder(target.parent)
            self._files.sync_folder(target.parent.parent)
        try:
            if has_old and has_new:
                self._exchange(target, slot)
            elif has_new:
                self._files.move(slot.path, target)
            else:
                self._files.move(target, slot.path)
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOENT):
                raise
            raise Conflict(
                f"{target} appeared or vanished on disk during the write",
                hint="read the skill again, then retry",
            ) from None

    def _exchange(self, target: Path, slot: Slot) -> None:
        try:
            self._files.exchange(slot.path, target)
        except ExchangeUnsupported:
            # Two steps where one is not to be had: the journal covers the moment between them.
            self._files.move(target, slot.old)
            self._files.move(slot.path, target)
            self._files.move(slot.old, slot.path)

    def _mend(self, intent: Intent, target: Path, slot: Slot) -> str | None:
        """Undo half a swap, and put back what a person wrote; the tree that is live then.

        A person's edit between the check and the swap is in the slot: neither the old tree nor
        the new one.
        """
        if os.path.lexists(slot.old):
            if not os.path.lexists(target):
                self._files.move(slot.old, target)
            elif not os.path.lexists(slot.path):
                self._files.move(slot.old, slot.path)
        live = _tree_or_none(target)
        if intent.old_tree is not None and live == intent.new_tree:
            came_out = _tree_or_none(slot.path)
            if came_out not in (None, intent.old_tree, intent.new_tree):
                self._swap_back(intent, target, slot)
                return came_out
        return live

    def _swap_back(self, intent: Intent, target: Path, slot: Slot) -> None:
        has_old = intent.old_tree is not None
        if has_old and not os.path.lexists(slot.path):
            return  # the swap was never made: somebody else's bytes are the same as ours
        if has_old and intent.new_tree is not None:
            self._exchange(target, slot)
        elif has_old:
            self._files.move(slot.path, target)
        elif not os.path.lexists(slot.path):
            self._files.move(target, slot.path)
        self._files.sync_folder(target.parent)

    def _clear(self, intent: Intent, slot: Slot) -> str | None:
        """Remove what this write left. What is not known to the store is kept; says where."""
        self._files.remove(slot.staging)
        rescued = None
        for path in (slot.path, slot.old):
            if _tree_or_none(path) in (None, intent.old_tree, intent.new_tree):
                self._slots.discard(path)
            elif os.path.lexists(path):  # not swept away by another process while it was read
                rescued = str(self._slots.rescue(path))
        return rescued


@contextmanager
def _failing(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DiskFailed(
            f"{target} could not be written: {error.strerror or error}",
            hint="the old state is whole; free space or repair the disk, then retry",
        ) from error


def _tree_or_none(path: Path) -> str | None:
    """The hash of a folder; None where nothing is, "" where something else than a skill is."""
    if not os.path.lexists(path):
        return None
    if os.path.islink(path) or not os.path.isdir(path):
        return ""
    try:
        return folders.load(path).tree()
    except CorruptData:
        return ""
