"""A process that reads files for an import: orders come in, what is in the files goes out.

It knows no store and writes nothing. Its parent's end, whatever the cause, ends it: then nobody
sends orders any more, or nobody takes what it has read.
"""

from __future__ import annotations

import pickle
import struct
import sys
from typing import IO, Any

from hermes.errors import HermesError
from hermes.ingest.drafts import Draft, Ended, Order, Unreadable, drafts_in
from hermes.ingest.reading import conversations

_LENGTH = struct.Struct("<Q")
_FULL = 1024 * 1024  # bytes of drafts that are sent together


def send(stream: IO[bytes], value: Any) -> None:
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """One value, still packed; None where the other side has ended."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None


def serve(orders: IO[bytes], answers: IO[bytes]) -> None:
    """For each order: lists of what is in the file, then None, or the error that ended it."""
    while (packed := receive(orders)) is not None:
        try:
            _answer(pickle.loads(packed), answers)
            send(answers, None)
        except (Unreadable, HermesError) as error:
            send(answers, error)


def _answer(order: Order, answers: IO[bytes]) -> None:
    held: list[Draft | Ended] = []
    weight = 0
    for one in drafts_in(order, conversations):
        held.append(one)
        weight += one.weight if isinstance(one, Draft) else 0
        if weight >= _FULL:
            send(answers, held)
            held, weight = [], 0
    send(answers, held)


def main() -> None:
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:
        sys.stderr.close()  # the parent is gone, and with it whoever could be told


if __name__ == "__main__":
    main()
