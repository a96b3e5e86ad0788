"""A log of one JSON object per line: the objects that can be read, and a note for every other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO

from hermes.ingest.decoding import Malformed, decode, decode_noting
from hermes.ingest.fields import mapping
from hermes.ingest.lines import MAX_LINE, Line, read_lines
from hermes.records.codec import Json

Note = Callable[[int, str], None]
"""Takes a line's number and what is wrong there."""

_CUT_OFF = "the last line is cut off: the agent may still be writing it"


class Repeated:
    """Lines that stand in a file twice, time and all; only their hashes are held."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._count = 0
        self._first = 0

    def has(self, line: Line) -> bool:
        """Whether this line was here before."""
        key = hash(line.data)
        if key not in self._seen:
            self._seen.add(key)
            return False
        self._count += 1
        self._first = self._first or line.number
        return True

    def tell(self, note: Note) -> None:
        if self._count:
            note(self._first, f"repeated lines were left out: {self._count}")


def read_objects(
    stream: IO[bytes], note: Note, cap: int = MAX_LINE
) -> Iterator[tuple[Line, dict[str, Json]]]:
    """Every line that is an object, in the order of the file, whatever its times say."""
    for line in read_lines(stream, cap):
        if line.data is None:
            note(line.number, f"a line longer than {cap // 2**20} MiB was left out")
            continue
        try:
            value, flaw = decode_noting(line.data)
        except Malformed as error:
            note(line.number, str(error) if line.ended else _CUT_OFF)
            continue
        if flaw:
            note(line.number, flaw)
        if isinstance(value, dict):
            yield line, value
        else:
            note(line.number, f"expected an object, found {type(value).__name__}")


def object_at(stream: IO[bytes], offset: int, number: int, note: Note) -> dict[str, Json] | None:
    """A line that was read before, once more; None where it is not there any more."""
    stream.seek(offset)
    try:
        return mapping(decode(stream.readline(MAX_LINE)))
    except Malformed:
        note(number, "the file changed while it was read")
        return None
