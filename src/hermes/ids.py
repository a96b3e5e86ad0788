"""Ids that sort by time, canonical JSON, and content hashes of full length.

An id is `<word>_<9 time characters><8 random characters>`. The alphabet is in ASCII order, so
sorting ids as text sorts them by the moment they were made; ids made within one millisecond by
one process still come out in order.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_EPOCH_MS = 1_704_067_200_000  # 2024-01-01T00:00:00Z: nine characters last until the year 3139
_RANDOM_BITS = 40
_CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)
_lock = threading.Lock()
_last = (0, 0, 0)  # process, millisecond, random part


def _encode(value: int, width: int) -> str:
    characters = []
    for _ in range(width):
        characters.append(_ALPHABET[value & 31])
        value >>= 5
    return "".join(reversed(characters))


def new_id(word: str) -> str:
    """A fresh id for a record of this word, later than every id this process made before."""
    global _last
    with _lock:
        pid = os.getpid()  # a forked child must not continue its parent's counter
        last_pid, last_ms, last_random = _last
        now = max(time.time_ns() // 1_000_000 - _EPOCH_MS, 0)
        if pid == last_pid and now <= last_ms and last_random + 1 < 1 << _RANDOM_BITS:
            now, random = last_ms, last_random + 1
        else:
            # The top bit stays free, so that counting on within a millisecond has room.
            random = int.from_bytes(os.urandom(5), "big") >> 1
        _last = (pid, now, random)
    return f"{word}_{_encode(now, 9)}{_encode(random, 8)}"


def derived_id(word: str, at: datetime, *parts: str) -> str:
    """The same id for the same input: what makes a step safe to repeat."""
    ms = max(int(at.timestamp() * 1000) - _EPOCH_MS, 0)
    digest = hashlib.sha256(canonical_json([word, *parts]).encode()).digest()
    return f"{word}_{_encode(ms, 9)}{_encode(int.from_bytes(digest[:5], 'big'), 8)}"


def now() -> datetime:
    """The time, aware of its zone, as every record wants it."""
    return datetime.now(UTC)


def canonical_json(value: Any) -> str:
    """One text for one value: sorted keys, no spaces, no NaN."""
    return _CANONICAL.encode(value)


def content_hash(data: bytes) -> str:
    """The full SHA-256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def tree_hash(entries: Iterable[tuple[str, str, bool]]) -> str:
    """The hash of a folder: every (path, content hash, executable), each field delimited.

    Fields are NUL-delimited and a path cannot contain NUL, so no two different folders spell
    the same listing.
    """
    digest = hashlib.sha256()
    for path, content, executable in sorted(entries):
        digest.update(f"{path}\0{content}\0{'x' if executable else '-'}\0".encode())
    return digest.hexdigest()
