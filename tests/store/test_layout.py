"""What tools believe of the schema is what the migrations made."""

from __future__ import annotations

from pathlib import Path

from hermes.records.codec import field_names
from hermes.store.database import Database
from hermes.store.layout import TABLES
from hermes.store.open import open_database
from hermes.store.transfer import columns_of, tables_of


def test_every_table_is_known(database: Database) -> None:
    names = sorted(layout.table for layout in TABLES)
    assert [name for (name,) in database.all("table_names")] == names
    assert tables_of(database) == list(TABLES)


def test_both_databases_have_the_same_columns(postgres_url: str, tmp_path: Path) -> None:
    sqlite, postgres = open_database(tmp_path / "loop.db"), open_database(postgres_url)
    for layout in TABLES:
        assert columns_of(sqlite, layout) == columns_of(postgres, layout), layout.table
    postgres.close()


def test_every_field_of_a_record_has_its_column(database: Database) -> None:
    for layout in TABLES:
        columns = set(columns_of(database, layout))
        assert columns >= {*layout.key, *layout.blobs, *layout.vectors}
        if layout.record is not None:
            assert columns >= set(field_names(layout.record)), layout.table


def test_the_references_are_those_of_the_schema(tmp_path: Path) -> None:
    database = open_database(tmp_path / "loop.db")
    for layout in TABLES:
        rows = database.ask(
            'SELECT "from", "table", "to" FROM pragma_foreign_key_list(:name)',
            {"name": layout.table},
        )
        assert {(column, table) for column, table, _ in rows} == set(layout.references)
        assert all(target == "id" for _, _, target in rows)


def test_the_key_is_the_primary_key(tmp_path: Path) -> None:
    database = open_database(tmp_path / "loop.db")
    for layout in TABLES:
        rows = database.ask(
            "SELECT name FROM pragma_table_info(:name) WHERE pk > 0 ORDER BY pk",
            {"name": layout.table},
        )
        assert tuple(name for (name,) in rows) == layout.key
