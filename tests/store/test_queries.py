"""The .sql files keep their rules: named, commented, the same columns as the records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from hermes import ports as all_ports
from hermes.records.codec import field_names
from hermes.records.trajectory import Step
from hermes.records.waiting import Waiting
from hermes.store import queries
from hermes.store.queries import Block, expand, for_driver, load_queries, read_blocks
from hermes.store.tables import table
from hermes.testing.store import StorePorts

FILES = sorted(queries.FOLDER.rglob("*.sql"))
BLOCKS = [(path, block) for path in FILES for block in read_blocks(path)]
STORE = Path(queries.__file__).parent


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(queries.FOLDER)))
def test_every_block_says_what_it_is_for(path: Path) -> None:
    for block in read_blocks(path):
        assert len(block.why) > 10, block.name
        assert block.text, block.name
        assert ";" not in block.text, f"{block.name} is more than one statement"
        assert "%" not in block.text, f"{block.name}: psycopg would read it as a parameter"
        assert "::" not in block.text, f"{block.name}: write CAST(x AS y)"


def test_a_name_is_used_once_in_each_dialect() -> None:
    for folder in (queries.FOLDER, queries.FOLDER / "sqlite", queries.FOLDER / "postgres"):
        names = [block.name for path, block in BLOCKS if path.parent == folder]
        assert len(names) == len(set(names))


def test_both_dialects_have_the_same_statements() -> None:
    assert sorted(load_queries("sqlite").names()) == sorted(load_queries("postgres").names())


def test_every_statement_is_used() -> None:
    code = "\n".join(path.read_text() for path in STORE.rglob("*.py"))
    for name in load_queries("sqlite").names():
        verb, _, rest = name.partition("_")
        made = verb in ("insert", "replace") or re.fullmatch(r"delete_\w+_of", name)
        assert f'"{name}"' in code or made, name
        assert rest


def test_the_columns_are_those_of_the_records(ports: StorePorts) -> None:
    lists = {block.name: block.text for _, block in BLOCKS if block.kind == "columns"}
    expected: dict[str, Any] = {"step_columns": Step, "waiting_columns": Waiting}
    for name in StorePorts.__slots__:
        port = getattr(ports, name)
        if isinstance(port, table.Table):
            expected[f"{port.word}_columns"] = port.record
    assert lists.keys() == expected.keys()
    for name, cls in expected.items():
        assert tuple(re.split(r",\s*", lists[name])) == field_names(cls), name


def test_a_list_becomes_columns_or_parameters() -> None:
    lists = {"pair": Block("columns", "pair", "\n-- Why.\na,\n  b\n")}
    assert expand("({pair}) VALUES ({:pair})", lists) == "(a, b) VALUES (:a, :b)"
    with pytest.raises(KeyError):
        expand("{unknown}", lists)


def test_parameters_are_written_as_the_driver_wants() -> None:
    statement = "SELECT a FROM b WHERE c = :c AND d IN (:d, :d_2)"
    assert for_driver(statement, "sqlite") == statement
    assert for_driver(statement, "postgres") == (
        "SELECT a FROM b WHERE c = %(c)s AND d IN (%(d)s, %(d_2)s)"
    )


def test_a_line_before_the_first_name_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "lost.sql"
    path.write_text("SELECT 1;\n-- name: one\n-- Why.\nSELECT 1;\n")
    with pytest.raises(ValueError, match=r"lost\.sql"):
        list(read_blocks(path))


def test_a_page_is_as_long_as_the_ports_say() -> None:
    assert table.PAGE == all_ports.PAGE
