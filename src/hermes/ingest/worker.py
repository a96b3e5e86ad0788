"""A process that reads files for an import: orders come in, what is in the files goes out.

It knows no store and writes nothing. Its parent's end, whatever the cause, ends it: then nobody
sends orders any more, or nobody takes what it has read.
"""

from __future__ import annotations

import gc
import sys
from typing import IO

from hermes.errors import HermesError
from hermes.ingest.drafting import drafts_in
from hermes.ingest.drafts import Draft, Ended, Order, Unreadable
from hermes.ingest.packing import receive, send, unpacked
from hermes.ingest.reading import conversations

_FULL = 1024 * 1024  # bytes of drafts that are sent together
_SELDOM = 50_000  # new objects from which on garbage is looked for: hardly any is in circles here


def serve(orders: IO[bytes], answers: IO[bytes]) -> None:
    """For each order: lists of what is in the file, then None, or the error that ended it."""
    while (packed := receive(orders)) is not None:
        try:
            _answer(unpacked(packed), answers)
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
    gc.freeze()
    gc.set_threshold(_SELDOM)
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:
        sys.stderr.close()  # the parent is gone, and with it whoever could be told


if __name__ == "__main__":
    main()
