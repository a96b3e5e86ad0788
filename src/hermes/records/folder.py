"""Folder: the bytes of a skill's folder in memory, on their way to or from the disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hermes.ids import content_hash
from hermes.records.version import FileEntry, tree_of

SKILL_FILE = "SKILL.md"


@dataclass(frozen=True, slots=True)
class FileContent:
    data: bytes
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Folder:
    """Relative POSIX path → content. A value: the `with_*` methods return another folder."""

    files: Mapping[str, FileContent]

    def entries(self) -> tuple[FileEntry, ...]:
        return tuple(
            FileEntry(
                path=path,
                content=content_hash(file.data),
                size=len(file.data),
                executable=file.executable,
            )
            for path, file in sorted(self.files.items())
        )

    def tree(self) -> str:
        return tree_of(self.entries())

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """(content hash, bytes) of every file, for the store."""
        for file in self.files.values():
            yield content_hash(file.data), file.data

    def with_file(self, path: str, data: bytes) -> Folder:
        old = self.files.get(path)
        executable = old.executable if old else path.startswith("scripts/")
        return Folder({**self.files, path: FileContent(data, executable)})

    def without(self, path: str) -> Folder:
        return Folder({name: file for name, file in self.files.items() if name != path})

    @property
    def skill_md(self) -> bytes:
        return self.files[SKILL_FILE].data
