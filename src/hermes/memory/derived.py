"""Memories that are made of something else, a run or a skill, and follow it.

Their ids come from what they are made of, so that there is one however often it is made. A text
never changes under its id for those who read along: the old one goes, and the new one has another
number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from hermes.errors import EmbedderUnavailable
from hermes.memory.embedding import label_of
from hermes.memory.remember import Keeping
from hermes.records.memory import Memory
from hermes.rules.recalling.terms import item_terms, item_text
from hermes.rules.remembering.cleaning import fingerprint

_EMBEDDED_AT_ONCE = 64
"""Of a large import the rest is embedded by upkeep; until then words find it."""
_TOGETHER = 32  # in one transaction


class DerivedMemories:
    def __init__(self, keeping: Keeping) -> None:
        self._keeping = keeping

    def put(self, memories: Sequence[Memory], still: Callable[[Memory], bool]) -> int:
        """Each in the place of what its id had; how many are new or other than before.

        What is not `still` wanted, asked inside the transaction that writes it, is left out.
        """
        changed = [one for one in memories if self._differs(one)]
        vectors = self._vectors([one for one in changed if self._says_something_new(one)])
        written = 0
        for start in range(0, len(changed), _TOGETHER):
            with self._keeping.transactions.transaction():
                self._keeping.memories.hold()
                for memory in changed[start : start + _TOGETHER]:
                    if still(memory):
                        self._put(memory, vectors.get(memory.id))
                        written += 1
        return written

    def drop(self, memory_id: str) -> bool:
        """Whether there was one."""
        known = self._keeping.memories.get(memory_id) is not None
        return known and self._keeping.memories.delete(memory_id)

    def _differs(self, memory: Memory) -> bool:
        known = self._keeping.memories.get(memory.id)
        return known is None or _as_used(memory, known) != known

    def _says_something_new(self, memory: Memory) -> bool:
        known = self._keeping.memories.get(memory.id)
        return known is None or not _same_text(known, memory)

    def _vectors(self, memories: Sequence[Memory]) -> dict[str, bytes]:
        embedder, first = self._keeping.embedder, memories[:_EMBEDDED_AT_ONCE]
        if embedder is None or not first:
            return {}
        try:
            made = embedder.embed([item_text(memory) for memory in first])
        except EmbedderUnavailable:  # upkeep embeds them when it is back
            return {}
        return {memory.id: vector for memory, vector in zip(first, made, strict=True)}

    def _put(self, memory: Memory, vector: bytes | None) -> None:
        keeping = self._keeping
        known = keeping.memories.get(memory.id)
        if known is not None and _same_text(known, memory):
            keeping.memories.replace(_as_used(memory, known))
            return
        if known is None:
            keeping.tallies.add(memory.scope, "added")
        else:
            keeping.memories.delete(memory.id)
        keeping.memories.add(memory)
        keeping.words.put(memory.id, item_terms(memory), fingerprint(memory.text))
        if vector is not None and keeping.embedder is not None:
            keeping.vectors.put(memory.id, label_of(keeping.embedder), vector)


def _same_text(known: Memory, memory: Memory) -> bool:
    return (known.text, known.kind, known.scope) == (memory.text, memory.kind, memory.scope)


def _as_used(memory: Memory, known: Memory) -> Memory:
    """What its use made of it, and what a person said of it, stays."""
    return replace(
        memory,
        created_at=known.created_at if _same_text(known, memory) else memory.created_at,
        strength=known.strength,
        last_recalled_at=known.last_recalled_at,
        superseded_by=known.superseded_by,
        waiting=memory.waiting and known.approved_by is None,
        approved_by=memory.approved_by or known.approved_by,
    )
