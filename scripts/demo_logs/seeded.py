"""The clock and the ids of a session: drawn from its name, so that every run gives the same log."""

from __future__ import annotations

import random
import uuid
from datetime import datetime, timedelta

_HEX = "0123456789abcdef"
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"


class Seeded:
    """Time passes only when it is told to."""

    def __init__(self, name: str, started: datetime) -> None:
        self._random = random.Random(name)
        self._now = started

    @property
    def now(self) -> datetime:
        return self._now

    def wait(self, shortest: float, longest: float) -> float:
        """Let a while pass; how long it was, in seconds."""
        seconds = round(shortest + (longest - shortest) * self._random.random(), 3)
        self._now += timedelta(seconds=seconds)
        return seconds

    def stamp(self) -> str:
        """Both agents write UTC in milliseconds."""
        return self._now.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self._now.microsecond // 1000:03d}Z"

    def uuid(self) -> str:
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))

    def hex(self, length: int) -> str:
        return self._draw(_HEX, length)

    def letters(self, length: int) -> str:
        return self._draw(_LETTERS, length)

    def _draw(self, alphabet: str, length: int) -> str:
        places = (int(self._random.random() * len(alphabet)) for _ in range(length))
        return "".join(alphabet[place] for place in places)


def tokens(text: str) -> int:
    """A plain estimate, four characters each; never nothing."""
    return len(text) // 4 + 1
