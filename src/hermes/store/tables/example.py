"""Examples: source material, for ever re-reviewable."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.example import Example, ExampleStatus
from hermes.store.tables.table import PAGE, Table


class ExampleTable(Table[Example]):
    word = "example"
    table = "examples"
    record = Example

    def add(self, example: Example) -> None:
        self._insert(example)

    def replace(self, example: Example) -> None:
        self._replace(example)

    def get(self, example_id: str) -> Example | None:
        return self._one("get_example", id=example_id)

    def page(
        self, status: ExampleStatus | None = None, after: str = "", limit: int = PAGE
    ) -> Sequence[Example]:
        if status is None:
            return self._many("page_examples", after=after, limit=limit)
        return self._many("page_examples_of_status", status=status.value, after=after, limit=limit)
