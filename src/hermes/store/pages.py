"""A whole table, a page at a time: memory does not grow with it, and no cursor stays open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hermes.store.database import Database
from hermes.store.dialect import Row
from hermes.store.layout import Layout


def pages(database: Database, layout: Layout, columns: Sequence[str]) -> Iterator[Row]:
    """(the key's columns, then these columns) of every row, in key order."""
    width, key = len(layout.key), ", ".join(layout.key)
    places = [f"after_{number}" for number in range(width)]
    after = ", ".join(f":{place}" for place in places)
    select = f"SELECT {', '.join([*layout.key, *columns])} FROM {layout.table}"
    order = f"ORDER BY {key} LIMIT {layout.page:d}"
    page = database.ask(f"{select} {order}")
    while page:
        yield from page
        last = dict(zip(places, page[-1][:width], strict=True))
        page = database.ask(f"{select} WHERE ({key}) > ({after}) {order}", last)
