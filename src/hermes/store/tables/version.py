"""Versions: immutable states of skills' folders, their bytes kept once by content hash."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from hermes.errors import CorruptData, Refused, WrongCall
from hermes.ids import content_hash
from hermes.records.folder import FileContent, Folder
from hermes.records.version import FileEntry, Version
from hermes.store.tables.table import Table


class VersionTable(Table[Version]):
    word = "version"
    table = "versions"
    record = Version

    def add(self, version: Version, contents: Iterable[tuple[str, bytes]]) -> None:
        """Bytes that the store has already need not be given again."""
        with self._db.transaction():
            for hash_, data in contents:
                if content_hash(data) != hash_:
                    raise WrongCall(f"the bytes given as {hash_} have another hash")
                self._db.run("insert_content", hash=hash_, data=data)
            for entry in version.files:
                if self._db.one("has_content", hash=entry.content) is None:
                    raise WrongCall(f"version {version.id} comes without the bytes of {entry.path}")
            self._insert(version)

    def replace(self, version: Version) -> None:
        """Move its state; whatever else differs is refused, because a version is immutable."""
        with self._db.transaction():
            stored = self.get(version.id)
            if stored is None:
                raise self._missing(version.id)
            if dataclasses.replace(stored, state=version.state) != version:
                raise Refused(f"version {version.id} is immutable; only its state moves")
            self._db.run("move_version", id=version.id, state=version.state.value)

    def get(self, version_id: str) -> Version | None:
        return self._one("get_version", id=version_id)

    def of_skill(self, skill_id: str) -> Sequence[Version]:
        return self._many("versions_of_skill", skill_id=skill_id)

    def next_number(self, skill_id: str) -> int:
        ((number,),) = self._db.all("next_version_number", skill_id=skill_id)
        return int(number)

    def folder(self, version: Version) -> Folder:
        """The bytes of a version; raises CorruptData when one is gone or altered."""
        return Folder(
            {
                entry.path: FileContent(self._content(version, entry), entry.executable)
                for entry in version.files
            }
        )

    def content(self, content: str) -> bytes:
        """The bytes with this hash; raises CorruptData when they are gone or altered."""
        return self._verified(content, "a file")

    def _content(self, version: Version, entry: FileEntry) -> bytes:
        return self._verified(entry.content, f"{entry.path} of version {version.id}")

    def _verified(self, content: str, what: str) -> bytes:
        row = self._db.one("get_content", hash=content)
        if row is not None and content_hash(row[0]) == content:
            return bytes(row[0])
        raise CorruptData(
            f"{what} {'is gone' if row is None else 'was altered'}",
            where=f"{self._db.where}, contents {content}",
            hint="restore a backup: hermes db restore FILE",
        )
