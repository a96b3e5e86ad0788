"""A memory as one line of JSON: what an export writes, and what an import takes from it.

A file is trusted with what it tells and not with what it says of itself. Unless a person vouches
for it, its texts are imported ones, nobody has approved them, and how often they were of use
elsewhere counts for nothing here.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from hermes.ids import canonical_json, derived_id
from hermes.records.codec import CodecError, dump, field_names, load, time_text
from hermes.records.memory import Memory, Trust
from hermes.records.scope import PERSONAL, Scope
from hermes.rules.plain_text import is_storable
from hermes.rules.recalling.fading import STRONGEST
from hermes.rules.remembering.cleaning import LONGEST, cleaned, fingerprint
from hermes.rules.remembering.kinds import kind_of

_ID = re.compile(r"mem_[0-9a-hjkmnp-tv-z]{17}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a file is read. `scope`, where given, stands for the one that a line names."""

    source: str
    at: datetime
    vouched: bool = False
    scope: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a line became. One that was exported is `named` by its id; one that somebody wrote by
    hand is known by what it says."""

    memory: Memory
    named: bool


def line_of(memory: Memory) -> str:
    """Every field; the vector is left out, for every embedder makes its own."""
    return canonical_json(dump(memory))


def memory_of(line: bytes, reading: Reading) -> Written:
    """The memory of a line; only `text` must be there. CodecError says what is wrong with it."""
    try:
        given = json.loads(line.decode("utf-8-sig"))
    except RecursionError as error:
        raise CodecError("it is nested too deeply") from error
    except UnicodeDecodeError as error:
        raise CodecError(f"it is not UTF-8 ({error.reason} at byte {error.start})") from error
    except ValueError as error:
        raise CodecError(f"it is not JSON ({error})") from error
    if not isinstance(given, dict) or not isinstance(given.get("text"), str):
        raise CodecError('it is no memory: expected an object with a "text"')
    unknown = sorted(given.keys() - set(field_names(Memory)))
    if unknown:
        raise CodecError(f"a memory has no field {', '.join(map(repr, unknown))[:200]}")
    try:
        memory = load(Memory, _completed(given, reading))
        Scope.parse(memory.scope)
        _check_names(memory)
    except OverflowError as error:
        raise CodecError(f"a time is out of range ({error})") from error
    except ValueError as error:
        raise CodecError(str(error)) from error
    named = given.get("id") is not None
    if not named:
        parts = (memory.scope, memory.kind.value, fingerprint(memory.text))
        memory = replace(memory, id=derived_id("mem", memory.created_at, *parts))
    taken = (_within_bounds if reading.vouched else _as_imported)(memory, reading)
    return Written(memory=taken, named=named)


def _check_names(memory: Memory) -> None:
    """The text is cleaned; a name that no database holds is no name."""
    for name in ("scope", "source", "session_id", "approved_by"):
        if not is_storable(getattr(memory, name) or ""):
            raise CodecError(f"Memory.{name} has a character that cannot be stored")


def _completed(given: dict[str, Any], reading: Reading) -> dict[str, Any]:
    """What a line leaves out, as if somebody had just said it."""
    text = given["text"]
    text = cleaned(text) if len(text) <= LONGEST else text
    said = {name: value for name, value in given.items() if value is not None}
    full: dict[str, Any] = {
        **dict.fromkeys(field_names(Memory)),
        "id": "",  # made of the rest, once that is known to be good
        "kind": kind_of(text),
        "scope": PERSONAL,
        "source": reading.source,
        "trust": Trust.IMPORTED,
        "strength": 1.0,
        "created_at": time_text(reading.at),
        "waiting": False,
        **said,
        "text": text,
    }
    if reading.scope is not None:
        full["scope"] = reading.scope
    for name in ("id", "superseded_by"):
        written = given.get(name)
        if written is not None and not (isinstance(written, str) and _ID.fullmatch(written)):
            raise CodecError(f"Memory.{name}: {written!r:.80} is no id of a memory")
    return full


def _as_imported(memory: Memory, reading: Reading) -> Memory:
    return replace(
        memory,
        source=reading.source,
        trust=Trust.IMPORTED,
        approved_by=None,
        strength=1.0,
        last_recalled_at=None,
        created_at=min(memory.created_at, reading.at),
    )


def _within_bounds(memory: Memory, reading: Reading) -> Memory:
    """As it was written, but for what cannot be: strength has its limits, and nothing happened
    tomorrow."""
    recalled = memory.last_recalled_at
    return replace(
        memory,
        strength=min(max(memory.strength, 0.0), STRONGEST),
        created_at=min(memory.created_at, reading.at),
        last_recalled_at=None if recalled is None else min(recalled, reading.at),
    )
