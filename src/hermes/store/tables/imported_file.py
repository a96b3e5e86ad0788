"""Imported files: which logs were read, and what they looked like then."""

from __future__ import annotations

from hermes.records.imported import ImportedFile
from hermes.store.tables.table import Table


class ImportedFileTable(Table[ImportedFile]):
    word = "imported_file"
    table = "imported_files"
    record = ImportedFile

    def put(self, file: ImportedFile) -> None:
        self._db.run("put_imported_file", **self._rows.values(file))

    def get(self, path: str) -> ImportedFile | None:
        return self._one("get_imported_file", path=path)
