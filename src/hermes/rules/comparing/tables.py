"""CSV and TSV, cell by cell: a number may be written in another way, a row may not move."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from hermes.rules.comparing.comparison import SAME, Comparison, different, shown, uncomparable
from hermes.rules.comparing.numbers import Tolerance, number_of, same_number

_LARGEST_CELL = 1 << 20
_Rows = list[list[str]]


def compare_tables(
    recorded: str, replayed: str, delimiter: str, tolerance: Tolerance
) -> Comparison:
    """Columns and rows in their order; the first difference is told by line and column name."""
    try:
        before, after = _rows(recorded, delimiter), _rows(replayed, delimiter)
    except csv.Error as error:
        return uncomparable(f"it cannot be read as a table: {error}")
    names = before[0] if before else []
    for number, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        if len(old) != len(new):
            return different(f"row {number}: recorded {len(old)} cells, replayed {len(new)}")
        for column, pair in enumerate(zip(old, new, strict=True)):
            if not _same_cell(*pair, tolerance):
                where = f"row {number}, column {_called(names, column, number)}"
                told = f"recorded {shown(pair[0])}, replayed {shown(pair[1])}"
                return different(f"{where}: {told}")
    if len(before) != len(after):
        return different(f"recorded {len(before)} rows, replayed {len(after)}")
    return SAME


def _rows(text: str, delimiter: str) -> _Rows:
    if any(len(line) > _LARGEST_CELL for line in text.splitlines()):
        raise csv.Error(f"a line has more than {_LARGEST_CELL:,} characters")
    lines = io.StringIO(text.removeprefix("\ufeff"), newline="")
    rows = list(csv.reader(lines, delimiter=delimiter))
    while rows and not rows[-1]:
        rows.pop()
    return rows


def _same_cell(recorded: str, replayed: str, tolerance: Tolerance) -> bool:
    recorded, replayed = recorded.strip(), replayed.strip()
    if recorded == replayed:
        return True
    before, after = number_of(recorded), number_of(replayed)
    if before is None or after is None:
        return False
    return before == after or same_number(before, after, tolerance)


def _called(names: Sequence[str], column: int, row: int) -> str:
    """A column's heading where there seems to be one, and its number in any case."""
    name = names[column].strip() if column < len(names) and row > 1 else ""
    return f"{column + 1} ({name})" if name and number_of(name) is None else str(column + 1)
