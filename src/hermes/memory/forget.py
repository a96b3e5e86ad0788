"""Forget: text, terms, postings, vector and index entries go; the audit keeps that it happened."""

from __future__ import annotations

from collections.abc import Callable

from hermes.ports import Events, Memories, MemoryTallies, Transactions


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
        with self._transactions.transaction():
            memory = self._memories.get(memory_id)
            if memory is None or not self._memories.delete(memory_id):
                return False
            self._tallies.add(memory.scope, "forgotten")
            self._events.append("memory.forgotten", actor=by, subject_id=memory_id)
        self._scrub(memory.scope)
        return True
