"""Record ⇄ row, in one storage form on both databases.

A field that is text, a number, a flag or a time is a column of its own; any other field is
canonical JSON text. The same record is therefore the same row everywhere, and a copy can be
proven equal by its hash (docs/decisions/0003-one-storage-form-on-both-databases.md).

Two things are refused because not every database can hold them: NUL in a text column, and half of
a surrogate pair anywhere. A NUL inside a nested value is fine: JSON escapes it.
"""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, Generic, TypeVar

from hermes.errors import CorruptData, WrongCall
from hermes.ids import canonical_json
from hermes.records.codec import CodecError, field_names, load, time_text, to_plain
from hermes.store.dialect import Row

R = TypeVar("R")
Value = str | int | float | bytes | None

_INT64 = 1 << 63
_Convert = Callable[[Any], Any]


class Rows(Generic[R]):
    """How one record type lies in its table: columns are its fields, in their order."""

    def __init__(self, cls: type[R]) -> None:
        self._cls = cls
        self._forms = _forms(cls)

    def values(self, record: R) -> dict[str, Value]:
        """The record's columns by name."""
        values: dict[str, Value] = {}
        for name, (write, _) in self._forms.items():
            value = getattr(record, name)
            try:
                values[name] = None if value is None else write(value)
            except (CodecError, TypeError, ValueError) as error:
                raise WrongCall(f"{self._cls.__name__}.{name} cannot be stored: {error}") from error
        return values

    def record(self, row: Row, where: str) -> R:
        """The record of a row that was read in column order; `where` names its table and place."""
        try:
            return load(self._cls, self._plain(row))
        except ValueError as error:
            raise CorruptData(
                f"row {row[0]!r} cannot be read: {error}",
                where=where,
                hint="`hermes db verify` lists every damaged row; restore a backup",
            ) from error

    def _plain(self, row: Row) -> dict[str, Any]:
        """The row as the JSON values that the codec takes."""
        plain: dict[str, Any] = {}
        for (name, (_, read)), value in zip(self._forms.items(), row, strict=True):
            try:
                plain[name] = None if value is None else read(value)
            except (ValueError, TypeError) as error:
                raise CodecError(f"{self._cls.__name__}.{name}: {error}") from error
        return plain


@cache
def rows_of(cls: Any) -> Rows[Any]:
    """The mapper of a record type, made once."""
    return Rows(cls)


def storable_text(value: str) -> str:
    """The text itself, or an error that says which character no database keeps."""
    at = value.find("\0")
    if at >= 0:
        raise ValueError(f"a NUL character at position {at}")
    return _encodable(value)


def json_text(value: Any) -> str:
    """A nested value as the one text it is stored as."""
    if not value and isinstance(value, tuple):
        return "[]"
    try:
        text = canonical_json(value)  # most are plain JSON already
    except TypeError:
        text = canonical_json(to_plain(value))
    return _encodable(text)


def _records_text(value: Any) -> str:
    """The same for a field that holds records: they are never plain JSON."""
    return json_text(to_plain(value) if value else value)


def _encodable(value: str) -> str:
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ValueError(f"half of a surrogate pair at position {error.start}") from error
    return value


def _forms(cls: Any) -> dict[str, tuple[_Convert, _Convert]]:
    hints = typing.get_type_hints(cls)
    return {name: _form(hints[name]) for name in field_names(cls)}


def _form(hint: Any) -> tuple[_Convert, _Convert]:
    """(write, read) of one type; None is dealt with before, as NULL."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        (hint,) = (one for one in typing.get_args(hint) if one is not type(None))
    if hint is bool:
        return int, _read_flag
    if hint is int:
        return _write_int, _same
    if hint is float:
        return _write_float, _same
    if hint is datetime:
        return time_text, _same
    if isinstance(hint, type) and (hint is str or issubclass(hint, StrEnum)):
        return _write_text, _same
    holds_records = any(map(dataclasses.is_dataclass, (hint, *typing.get_args(hint))))
    return _records_text if holds_records else json_text, json.loads


def _same(value: Any) -> Any:
    return value


def _write_text(value: str) -> str:
    return storable_text(str(value))  # a StrEnum becomes its text


def _write_int(value: int) -> int:
    if not -_INT64 <= value < _INT64:
        raise ValueError("a whole number of more than 64 bits")
    return value


def _write_float(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("a number that is not finite")
    return value + 0.0  # SQLite forgets the sign of -0.0; so do we, on both


def _read_flag(value: Any) -> bool:
    if type(value) is not int or value not in (0, 1):
        raise CodecError(f"a flag is 0 or 1, not {value!r}")
    return value == 1
