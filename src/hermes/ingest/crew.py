"""Several processes that read files ahead of the one that writes, which gets them in their order.

An import that is small is read in this process: starting another costs more than it saves.
"""

from __future__ import annotations

import itertools
import os
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, cast

from hermes.ingest.drafts import Draft, Ended, Order, Read, Unreadable
from hermes.ingest.packing import receive, send, unpacked

WORTH_IT = 8 * 1024 * 1024
"""Bytes to be read from which on other processes are started."""

MOST = 3
"""Processes beside the one that writes: more would not be fed fast enough, and need memory."""

_CHILD = "hermes.ingest.worker"
_EACH = 64 * 1024  # bytes that are read in the time that a file takes, however small it is
_ORDERS_EACH = 2  # the next file is there when one is done
_PATIENCE = 500  # times a hundredth of a second that a thread may take to end
_ANSWERS_AHEAD = 4  # answers of about a megabyte that wait for the writer

Stream = tuple[Order, Iterator[Draft | Ended]]


@dataclass(frozen=True, slots=True)
class Workers:
    """How many processes read, once there are `worth_it` bytes to be read."""

    count: int
    worth_it: int = WORTH_IT

    @classmethod
    def for_this_machine(cls) -> Workers:
        """As many as there are processors; none where there is only one."""
        processors = os.cpu_count() or 1
        return cls(min(processors, MOST) if processors > 1 else 0)


NO_WORKERS = Workers(0)


class Crew:
    def __init__(self, read: Read, workers: Workers) -> None:
        self._read = read
        self._count = workers.count
        self._worth_it = workers.worth_it
        self._workers: list[_Worker] = []

    def streams(self, orders: Iterable[Order]) -> Generator[Stream, None, None]:
        """What is in each file, in the order of the files; each to be used up before the next."""
        coming = iter(orders)
        first: list[Order] = []
        size = 0
        while self._count and size < self._worth_it and (order := next(coming, None)) is not None:
            first.append(order)
            size += order.size + _EACH
        everything = itertools.chain(first, coming)
        if not self._count or size < self._worth_it:
            yield from self._here(everything)
            return
        try:
            self._workers = [_Worker() for _ in range(self._count)]
            yield from self._spread(everything)
        finally:
            for worker in self._workers:
                worker.close()
            self._workers = []

    def _here(self, orders: Iterable[Order]) -> Iterator[Stream]:
        from hermes.ingest.drafting import drafts_in  # what reading needs, only a reader loads

        for order in orders:
            yield order, drafts_in(order, self._read)

    def _spread(self, orders: Iterator[Order]) -> Iterator[Stream]:
        """Whoever is done with a file gets the next one."""
        given: deque[tuple[Order, _Worker]] = deque()

        def give(worker: _Worker) -> None:
            if (order := next(orders, None)) is not None:
                worker.give(order)
                given.append((order, worker))

        for _ in range(_ORDERS_EACH):
            for worker in self._workers:
                give(worker)
        while given:
            order, worker = given.popleft()
            yield order, worker.answers()
            give(worker)


class _Worker:
    """One process, and a thread that takes what it says, so that it need not wait for us."""

    def __init__(self) -> None:
        self._orders: deque[Order] = deque()
        self._start()

    def give(self, order: Order) -> None:
        self._orders.append(order)
        self._send(order)

    def answers(self) -> Iterator[Draft | Ended]:
        """What is in its oldest file. Raises Unreadable, also when the process died of it."""
        while (packed := self._heard.get()) is not None:
            answer = unpacked(packed)
            if isinstance(answer, list):
                yield from answer
                continue
            self._orders.popleft()
            if answer is not None:
                raise answer
            return
        self._orders.popleft()
        self.close()
        code = self._process.returncode
        self._start()
        for order in self._orders:
            self._send(order)
        raise Unreadable(f"the process that read it ended ({code}); it is read again next time")

    def close(self) -> None:
        """End the process, and the thread that listens to it: it may wait for room to put."""
        self._process.kill()
        for _ in range(_PATIENCE):
            while not self._heard.empty():
                self._heard.get()
            self._listener.join(0.01)
            if not self._listener.is_alive():
                break
        self._process.communicate()

    def _start(self) -> None:
        self._heard: queue.Queue[bytes | None] = queue.Queue(_ANSWERS_AHEAD)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", _CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for us; we end it
        )
        self._listener = threading.Thread(
            target=_listen, args=(self._process.stdout, self._heard), daemon=True
        )
        self._listener.start()

    def _send(self, order: Order) -> None:
        try:
            send(cast(IO[bytes], self._process.stdin), order)
        except BrokenPipeError:
            return  # it is dead, and that is noticed where its answer is missing


def _listen(stream: IO[bytes], heard: queue.Queue[bytes | None]) -> None:
    while (packed := receive(stream)) is not None:
        heard.put(packed)
    heard.put(None)
