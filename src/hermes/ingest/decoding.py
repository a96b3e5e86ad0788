"""Bytes of a log → JSON values whose texts can be stored.

The fast parser is strict, and logs are not: cut surrogate pairs, NUL bytes after a crash, NaN. What
it refuses is read once more by the tolerant one and cleaned. What neither reads is a Malformed.
"""

from __future__ import annotations

import json
import math
import re

import orjson

from hermes.records.codec import Json

MAX_DEPTH = 100
"""Levels of nesting that a record may have: deeper ones could not be written down again."""

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_NESTED = (dict, list)
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class Malformed(ValueError):
    """These bytes are not JSON; the message says why in a few words."""


def decode(data: bytes) -> Json:
    """The value, every text in it storable. Raises Malformed."""
    return decode_noting(data)[0]


def decode_noting(data: bytes) -> tuple[Json, str]:
    """The value, and what had to be mended in its bytes; an empty text when nothing had."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        return _tolerant(data)
    return (_clean(value) if b"\\u0000" in data else value), ""


def decode_text(text: str) -> Json:
    """The same for JSON that a log carries inside a string."""
    return decode(text.encode("utf-8", "replace"))


def arguments_of(value: Json) -> dict[str, Json]:
    """A call's arguments, as an object or as JSON text; other text is kept under `input`."""
    if isinstance(value, str):
        try:
            read = decode_text(value) if value.strip() else {}
        except Malformed:
            return {"input": value}
        return structured(read) if isinstance(read, dict) else {"input": value}
    if value is None or isinstance(value, dict):
        return structured(value)
    return structured({"input": value})


def structured(value: Json) -> dict[str, Json]:
    """An object that a record can hold; what is nested too deeply in it is cut, and says so."""
    if not isinstance(value, dict):
        return {}
    return value if _is_shallow(value) else {k: _pruned(v, MAX_DEPTH - 2) for k, v in value.items()}


def clean_text(data: bytes) -> str:
    """Text of a database column; nothing of it may stop a later write."""
    return _UNSTORABLE.sub(_REPLACEMENT, data.decode("utf-8", "replace"))


def _tolerant(data: bytes) -> tuple[Json, str]:
    stripped = data.replace(b"\0", b"").strip()
    if not stripped:
        raise Malformed("nothing but NUL bytes" if data.strip() else "nothing there")
    flaws = ["NUL bytes left out"] if len(stripped) < len(data.strip()) else []
    try:
        try:
            text = stripped.decode()
        except UnicodeDecodeError:
            text = stripped.decode("utf-8", "replace")
            flaws.append("bytes that are not UTF-8 replaced")
        value = json.loads(text, parse_constant=_no_number, parse_float=_finite)
        return _clean(value), ", ".join(flaws)
    except RecursionError:
        raise Malformed("nested too deeply") from None
    except ValueError as error:
        raise Malformed(f"not JSON: {error}") from None


def _no_number(_name: str) -> None:
    """NaN and Infinity are no JSON and cannot be stored."""


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _clean(value: Json) -> Json:
    if isinstance(value, str):
        return _UNSTORABLE.sub(_REPLACEMENT, value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return value


def _is_shallow(value: Json) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            item
            for one in level
            for item in (one.values() if isinstance(one, dict) else one)
            if isinstance(item, _NESTED)
        ]
        if not level:
            return True
    return False


def _pruned(value: Json, levels: int) -> Json:
    if isinstance(value, _NESTED) and levels == 0:
        return "[nested too deeply]"
    if isinstance(value, list):
        return [_pruned(item, levels - 1) for item in value]
    if isinstance(value, dict):
        return {key: _pruned(item, levels - 1) for key, item in value.items()}
    return value
