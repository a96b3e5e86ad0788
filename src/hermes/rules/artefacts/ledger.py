"""What is known of every file that a session touched, one version of it after the other.

A write begins a version. What a later look shows of it belongs to the same version until the next
write, so a result that was written unseen is known once somebody looks at it, and an input that
was read by a program is known once somebody shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hermes.records.artefact import ArtefactRole

NOT_SHOWN = "its content is not in the log"
MAYBE_WRITTEN = "a command may have written it before it was read"
CHANGED_UNSEEN = "something that the log does not show changed it"
_KEPT = 64 * 1024 * 1024  # bytes of file contents that a session keeps in mind


@dataclass(slots=True, eq=False)
class Touch:
    """One file as one step read or wrote it; `data` may become known later."""

    name: str
    role: ArtefactRole
    data: bytes | None = None
    why: str = ""


@dataclass(slots=True)
class _File:
    """The newest version of a file, and who still waits to know what is in it."""

    data: bytes | None = None
    waiting: list[Touch] = field(default_factory=list)
    written: bool = False
    doubtful: bool = False
    seen: bool = False
    given: Touch | None = None
    suspect: Touch | None = None


class FileLedger:
    def __init__(self) -> None:
        self._files: dict[str, _File] = {}
        self._listed: set[str] = set()
        self._kept = 0

    def begin_task(self) -> None:
        """What is known stays known; what was written is from now on something given."""
        for file in self._files.values():
            file.written = file.doubtful = file.seen = False
            file.given = file.suspect = None
            file.waiting = []

    def given(self) -> Iterator[Touch]:
        """What this task was given: read before anything of it wrote it."""
        return (file.given for file in self._files.values() if file.given is not None)

    def text(self, name: str) -> str | None:
        """What the file holds now, where that is known and is text."""
        file = self._files.get(name)
        try:
            return None if file is None or file.data is None else file.data.decode()
        except UnicodeDecodeError:
            return None

    def knows(self, name: str) -> bool:
        """Whether there is a sign that the file is there."""
        return name in self._files or name in self._listed

    def list_names(self, names: Iterable[str]) -> None:
        """A listing showed these: they were there before whatever comes next."""
        self._listed.update(names)

    def read(self, name: str, data: bytes | None = None, why: str = NOT_SHOWN) -> Touch:
        """A step read the file, and showed all of it, or not."""
        file = self._files.setdefault(name, _File())
        if data is not None:
            data = self._learn(file, data)
        elif file.data is not None:
            data = file.data
        touch = Touch(name, ArtefactRole.READ, data, "" if data is not None else why)
        if data is None:
            file.waiting.append(touch)
        self._give(name, file)
        return touch

    def write(self, name: str, data: bytes | None, why: str = NOT_SHOWN) -> Touch:
        """A step wrote the whole file."""
        touch = Touch(name, ArtefactRole.WRITTEN, data, "" if data is not None else why)
        file = self._files.setdefault(name, _File())
        self._keep(file, data)
        file.written, file.doubtful, file.suspect = True, False, None
        file.waiting = [touch] if data is None else []
        return touch

    def change(self, name: str, data: bytes | None, why: str = NOT_SHOWN) -> Touch:
        """A step changed a part of the file: what it held before was given."""
        self._give(name, self._files.setdefault(name, _File()))
        return self.write(name, data, why)

    def mention(self, name: str) -> Touch | None:
        """An unknown program was told the name: a file that is known to be there, it reads.

        When another content is seen afterwards, it was that program that wrote it.
        """
        if not self.knows(name):
            self._files[name] = _File(doubtful=True)
            return None
        touch = self.read(name)
        self._files[name].suspect = touch
        return touch

    def forget(self, name: str) -> None:
        """The file was removed, or moved away."""
        file = self._files.get(name)
        if file is not None:
            self._keep(file, None)
            file.written, file.waiting = True, []

    def _learn(self, file: _File, data: bytes) -> bytes:
        """All of the newest version was seen; whoever waited for it knows it now."""
        if file.data is not None and file.data.rstrip(b"\n") == data.rstrip(b"\n"):
            file.seen = True
            return file.data  # a view cannot tell how the last line ends; a write could
        if file.data is not None:
            self._changed(file, data)
        file.seen = True
        for touch in file.waiting:
            touch.data, touch.why = data, ""
        file.waiting = []
        self._keep(file, data)
        return data

    def _changed(self, file: _File, data: bytes) -> None:
        """It holds something else than we knew, and no write was seen."""
        if file.suspect is not None:
            file.suspect.role, file.suspect.data = ArtefactRole.WRITTEN, data
            file.suspect, file.written = None, True
        elif not file.seen and not file.written and file.given is not None:
            file.given.data, file.given.why = None, CHANGED_UNSEEN

    def _give(self, name: str, file: _File) -> None:
        """What is read or changed before it was written was there when the task began."""
        if file.given is not None or file.written:
            return
        if file.doubtful:
            file.given = Touch(name, ArtefactRole.GIVEN, None, MAYBE_WRITTEN)
            return
        why = NOT_SHOWN if file.data is None else ""
        file.given = Touch(name, ArtefactRole.GIVEN, file.data, why)
        if file.data is None:
            file.waiting.append(file.given)

    def _keep(self, file: _File, data: bytes | None) -> None:
        """Bounded: of a session that shows very much, the first files are forgotten again."""
        self._kept += len(data or b"") - len(file.data or b"")
        file.data = data
        if self._kept > _KEPT:
            for other in self._files.values():
                if other is not file and other.data is not None:
                    self._kept -= len(other.data)
                    other.data = None
                if self._kept <= _KEPT // 2:
                    break
