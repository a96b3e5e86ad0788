"""Messages as they stand in a stream: a line each, and none longer than is allowed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

LARGEST_MESSAGE = 16 * 1024 * 1024
_END = 512  # bytes at either end of a message, where its id is looked for

_ID = rb'"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")'
_AHEAD = re.compile(rb"\A\s*\{[^{}\[\]]*?" + _ID)
_BEHIND = re.compile(_ID + rb"[^{}\[\]]*\}\s*\Z")


@dataclass(frozen=True, slots=True)
class TooLong:
    """A line that was passed over; its two ends are kept, to answer whoever waits for it."""

    head: bytes
    tail: bytes


class Lines:
    """Puts pieces together. Each byte is looked at once, and no more than one message is kept."""

    def __init__(self, largest: int = LARGEST_MESSAGE) -> None:
        self._largest = largest
        self._begun = bytearray()
        self._head: bytes | None = None

    def fed(self, piece: bytes) -> Iterator[bytes | TooLong]:
        """The lines that end in this piece, without those that are empty."""
        *ending, rest = piece.split(b"\n")
        for end in ending:
            self._go_on(end)
            line = self._taken()
            if isinstance(line, TooLong) or line.strip():
                yield line
        self._go_on(rest)

    def _go_on(self, piece: bytes) -> None:
        self._begun += piece
        if self._head is None and len(self._begun) > self._largest:
            self._head = bytes(self._begun[:_END])
        if self._head is not None:
            del self._begun[:-_END]

    def _taken(self) -> bytes | TooLong:
        line, head = bytes(self._begun), self._head
        self._begun.clear()
        self._head = None
        return line if head is None else TooLong(head, line)


def id_in(head: bytes, tail: bytes) -> int | str | None:
    """Which request a message that cannot be read was, where its ends say so."""
    found = _AHEAD.match(head[:_END]) or _BEHIND.search(tail[-_END:])
    if found is None:
        return None
    try:
        value: int | str = json.loads(found[1])
    except ValueError:  # no text, or not UTF-8
        return None
    return value
