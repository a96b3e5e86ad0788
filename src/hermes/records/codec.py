"""Record ⇄ JSON, exactly: `load(type(r), dump(r)) == r` for every record.

Strict on purpose: an unknown or missing field, a wrong type or a naive time is an error that
names the field. A record read from a file or a row is therefore whole or not there at all.
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

R = TypeVar("R")
Json = Any  # a JSON value: None, bool, int, float, str, list, dict

_Convert = Callable[[Any], Any]


class CodecError(ValueError):
    """A value does not fit its record."""


def dump(record: Any) -> dict[str, Json]:
    """The record as plain JSON values, every field present."""
    return {field: to_plain(getattr(record, field)) for field in field_names(record.__class__)}


def load(cls: type[R], data: Mapping[str, Json]) -> R:
    """The record that `dump` wrote; raises CodecError on anything else."""
    if not isinstance(data, Mapping):
        raise CodecError(f"{cls.__name__}: expected an object, got {type(data).__name__}")
    record_type: Any = cls
    loaders = _loaders(record_type)
    unknown = data.keys() - loaders.keys()
    missing = loaders.keys() - data.keys()
    if unknown or missing:
        raise CodecError(f"{cls.__name__}: unknown {sorted(unknown)}, missing {sorted(missing)}")
    values = {}
    for name, convert in loaders.items():
        try:
            values[name] = convert(data[name])
        except (CodecError, ValueError, TypeError) as error:
            raise CodecError(f"{cls.__name__}.{name}: {error}") from error
    return cls(**values)


@cache
def field_names(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls))


def to_plain(value: Any) -> Json:
    """One field's value as JSON."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return str(value)  # a StrEnum becomes its text
    if isinstance(value, float):
        if not math.isfinite(value):
            raise CodecError("a number must be finite")
        return value
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    if dataclasses.is_dataclass(value):
        return dump(value)
    raise CodecError(f"no JSON for {type(value).__name__}")


def time_text(value: datetime) -> str:
    """UTC with six decimals and a Z: text order is time order, on every database."""
    if value.tzinfo is None:
        raise CodecError("a time must know its zone")
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").zfill(27)


def parse_time(text: Any) -> datetime:
    if not isinstance(text, str):
        raise CodecError(f"expected a time, got {type(text).__name__}")
    value = datetime.fromisoformat(text)
    if value.tzinfo is None:
        raise CodecError(f"time without a zone: {text!r}")
    return value.astimezone(UTC)


@cache
def _loaders(cls: Any) -> dict[str, _Convert]:
    if not dataclasses.is_dataclass(cls):
        raise CodecError(f"{cls.__name__} is not a record")
    hints = typing.get_type_hints(cls)
    return {name: _loader(hints[name]) for name in hints}


def _loader(hint: Any) -> _Convert:
    """How to read one type; decided once per field, not once per value."""
    if hint is Any:
        return _json
    if hint is datetime:
        return parse_time
    if hint is float:
        return _float
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        inner = [argument for argument in arguments if argument is not type(None)]
        if len(inner) != 1:
            raise CodecError(f"a field has one type or None, not {hint}")
        convert = _loader(inner[0])
        return lambda value: None if value is None else convert(value)
    if origin is tuple:
        item = _loader(arguments[0])
        return lambda value: tuple(item(one) for one in _expect(list, value))
    if origin is not None and issubclass(origin, Mapping):
        entry = _loader(arguments[1])
        return lambda value: {
            _expect(str, key): entry(one) for key, one in _expect(dict, value).items()
        }
    if isinstance(hint, type):
        if issubclass(hint, StrEnum):
            return hint
        if dataclasses.is_dataclass(hint):
            return lambda value: load(hint, value)
        if hint in (str, int, bool):
            return lambda value: _expect(hint, value)
    raise CodecError(f"no reader for {hint}")


def _expect(kind: type[R], value: Any) -> R:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise CodecError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value


def _float(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise CodecError(f"expected a finite number, got {value!r}")
    return float(value)


def _json(value: Any) -> Json:
    return to_plain(value)
