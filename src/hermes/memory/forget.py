"""Forget: text, terms, postings, vector and index entries go; the audit keeps that it happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from hermes.ports import Events, Memories, MemoryTallies, Transactions
from hermes.records.codec import Json

_AT_ONCE = 200  # in one transaction: others want to write too


class Forget:
    """`scrub` is called with the scope once it is committed: it cleans what lies outside the
    tables, such as an index file or a log of old pages."""

    def __init__(
        self,
        memories: Memories,
        tallies: MemoryTallies,
        events: Events,
        transactions: Transactions,
        scrub: Callable[[str], None],
    ) -> None:
        self._memories = memories
        self._tallies = tallies
        self._events = events
        self._transactions = transactions
        self._scrub = scrub

    def forget(self, memory_id: str, by: str) -> bool:
        """False where there is no such memory."""
        return self.forget_many([memory_id], by) == 1

    def forget_many(
        self, memory_ids: Sequence[str], by: str, *, how: Mapping[str, Json] | None = None
    ) -> int:
        """How many there were. `how` is what else the audit is to know, never what they said."""
        scopes: set[str] = set()
        count = 0
        for start in range(0, len(memory_ids), _AT_ONCE):
            with self._transactions.transaction():
                gone = dict(self._deleted(memory_ids[start : start + _AT_ONCE]))
                if gone:
                    self._tell(list(gone), by, how or {})
            scopes |= set(gone.values())
            count += len(gone)
        for scope in sorted(scopes):
            self._scrub(scope)
        return count

    def _deleted(self, memory_ids: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The id and the scope of each that was there."""
        for memory_id in memory_ids:
            memory = self._memories.get(memory_id)
            if memory is not None and self._memories.delete(memory_id):
                self._tallies.add(memory.scope, "forgotten")
                yield memory_id, memory.scope

    def _tell(self, gone: list[str], by: str, how: Mapping[str, Json]) -> None:
        many = {"ids": gone} if len(gone) > 1 else {}
        self._events.append("memory.forgotten", actor=by, subject_id=gone[0], data={**how, **many})
