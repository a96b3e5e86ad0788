"""Import: memories that were written down elsewhere become ours, each once.

A batch of lines is one transaction. What is there already is left as it is, by id or by what it
says, so the same file twice adds nothing and two imports of it at once add it once. A line is taken
or told as a problem; it never keeps the others out.

Unlike Remember it compares word for word only: a file of a hundred thousand lines was sorted out
where it was written, and recall shows one of two that say nearly the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import BinaryIO

from hermes.memory.remember import Keeping
from hermes.ports import MemoryListing
from hermes.records.codec import CodecError
from hermes.records.memory import Memory
from hermes.records.memory_import import MemoryImport
from hermes.rules.recalling.terms import item_terms
from hermes.rules.remembering.cleaning import LONGEST, fingerprint
from hermes.rules.remembering.instructions import instruction_in
from hermes.rules.remembering.junk import junk_in
from hermes.rules.remembering.written_down import Reading, Written, memory_of

_AT_ONCE = 200  # lines in one transaction: others want to write too
_LONGEST_LINE = 8 * LONGEST  # bytes; escaped as JSON may do it, with all other fields
_MOST_TOLD = 100


@dataclass(slots=True)
class _Count:
    """What became of the lines so far."""

    kept: int = 0
    waiting: int = 0
    known: int = 0
    refused: int = 0
    broken: int = 0
    told: list[str] = field(default_factory=list)

    def tell(self, line: int, what: str) -> None:
        if len(self.told) < _MOST_TOLD:
            self.told.append(f"{line}: {what}")

    def total(self) -> MemoryImport:
        return MemoryImport(
            kept=self.kept,
            waiting=self.waiting,
            known=self.known,
            refused=self.refused,
            broken=self.broken,
            told=tuple(self.told),
        )


class Import:
    def __init__(self, keeping: Keeping, listing: MemoryListing) -> None:
        self._keeping = keeping
        self._listing = listing

    def read(
        self, stream: BinaryIO, reading: Reading, progress: Callable[[int], None]
    ) -> MemoryImport:
        """Every line of the stream; `progress` is told how many were read."""
        count = _Count()
        lines = numbered_lines(stream)
        while batch := list(islice(lines, _AT_ONCE)):
            written = list(self._written(batch, reading, count))
            with self._keeping.transactions.transaction():
                self._keeping.memories.hold()
                self._take(written, count)
            progress(batch[-1][0])
        return count.total()

    def _written(
        self, batch: list[tuple[int, bytes | None]], reading: Reading, count: _Count
    ) -> Iterator[tuple[int, Written]]:
        """Those that may be kept, ready to be: nothing slow is left for the transaction.

        What is known is told from what is new before it is read for anything else.
        """
        for number, line in batch:
            try:
                written = _parsed(line, reading)
            except CodecError as error:
                count.broken += 1
                count.tell(number, str(error))
                continue
            memory = written.memory
            if self._known(written):
                count.known += 1
                continue
            reason = _refusal(memory, reading)
            if reason is not None:
                count.refused += 1
                count.tell(number, f"refused: {reason}")
                continue
            if not reading.vouched and not memory.waiting:
                waits = instruction_in(memory.text, memory.kind) is not None
                written = replace(written, memory=replace(memory, waiting=waits))
            yield number, written

    def _take(self, lines: list[tuple[int, Written]], count: _Count) -> None:
        added: Counter[str] = Counter()
        for number, written in lines:
            memory = written.memory
            if self._known(written):  # another import may have been faster
                count.known += 1
            elif self._keeping.memories.get(memory.id) is not None:
                count.broken += 1
                count.tell(number, f"{memory.id} is the id of another memory here")
            else:
                self._keeping.memories.add(memory)
                mark = fingerprint(memory.text)
                self._keeping.words.put(memory.id, item_terms(memory), mark)
                added[memory.scope] += 1
                count.kept += 1
                count.waiting += memory.waiting
        for scope, times in sorted(added.items()):
            self._keeping.tallies.add(scope, "added", times)

    def _known(self, written: Written) -> bool:
        """Whether it is here already, by its id or letter for letter.

        What was exported as replaced is history, and two pieces of history may read alike. What
        was replaced here since it was first imported is not brought back.
        """
        memory, mark = written.memory, fingerprint(written.memory.text)
        there = self._keeping.memories.get(memory.id)
        if there is not None:
            return _same(there, memory)
        if not written.named:
            return self._listing.ever_said(memory.scope, memory.kind, mark)
        if memory.superseded_by is not None:
            return False
        return self._keeping.memories.twin(memory.scope, memory.kind, mark) is not None


def numbered_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Lines with their numbers, without empty ones; None for one that is too long to be read."""
    number, skipping = 0, False
    while chunk := stream.readline(_LONGEST_LINE):
        is_whole = chunk.endswith(b"\n") or len(chunk) < _LONGEST_LINE
        if not skipping:
            number += 1
            if not is_whole:
                yield number, None
            elif chunk.strip():
                yield number, chunk
        skipping = not is_whole


def _parsed(line: bytes | None, reading: Reading) -> Written:
    if line is None:
        raise CodecError(f"it is longer than {_LONGEST_LINE:,} bytes")
    return memory_of(line, reading)


def _refusal(memory: Memory, reading: Reading) -> str | None:
    """Junk is refused as ever; what a person vouches for only has to fit."""
    reason = junk_in(memory.text, memory.kind, memory.trust)
    fits = 0 < len(memory.text) <= LONGEST
    return None if reading.vouched and fits else reason


def _same(known: Memory, memory: Memory) -> bool:
    kept, coming = fingerprint(known.text), fingerprint(memory.text)
    return (known.scope, known.kind, kept) == (memory.scope, memory.kind, coming)
