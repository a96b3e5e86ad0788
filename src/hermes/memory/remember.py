"""Remember: a text becomes a memory, joins one that says the same, waits for approval, or is
refused with a reason.

Reads what is alike before it writes; what it decides is written in one transaction. An exact twin
is looked for again inside it, so that many writers of one text keep it once. Safe to repeat: the
second time it is a duplicate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, Unpack

from hermes.errors import EmbedderUnavailable, NotFound, Refused, WrongCall
from hermes.ids import new_id
from hermes.memory.batch import Batch
from hermes.memory.meanwhile import meanwhile
from hermes.memory.note import Note, Offered, Origin
from hermes.ports import (
    Clock,
    Embedder,
    Events,
    Memories,
    MemoryTallies,
    MemoryVectors,
    MemoryWords,
    Transactions,
)
from hermes.records.codec import Json
from hermes.records.memory import Memory, MemoryKind
from hermes.records.recall import Remembered
from hermes.records.scope import Scope
from hermes.rules.recalling.fading import strengthened
from hermes.rules.recalling.terms import item_text
from hermes.rules.remembering.cleaning import LONGEST, cleaned
from hermes.rules.remembering.contradictions import contradiction
from hermes.rules.remembering.duplicates import repeats
from hermes.rules.remembering.instructions import instruction_in
from hermes.rules.remembering.junk import junk_in
from hermes.rules.remembering.kinds import kind_of
from hermes.rules.remembering.trust import is_trusted, may_replace

_AT_ONCE = 32  # notes in one transaction
_FACTS = (MemoryKind.SEMANTIC, MemoryKind.DECLARATIVE)
"""Only facts are compared by what they say; that something happened twice is two episodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """Where memories are written."""

    memories: Memories
    words: MemoryWords
    vectors: MemoryVectors
    tallies: MemoryTallies
    events: Events
    transactions: Transactions
    clock: Clock
    embedder: Embedder | None = None


@dataclass(slots=True)
class _Draft:
    """A note that is worth keeping, and what it meets."""

    memory: Memory
    vector: bytes | None
    waits: str | None
    same: Memory | None = None
    replaced: tuple[Memory, ...] = ()


class Alike(Protocol):
    """Where what is remembered already is looked for: Recall in a warm process, WordsAlone in a
    cold one."""

    def alike(
        self, asked: Sequence[Offered], limit: int = 8
    ) -> Sequence[Sequence[tuple[Memory, float | None]]]: ...


class Remember:
    def __init__(self, keeping: Keeping, known: Alike) -> None:
        self._keeping = keeping
        self._known = known

    def add(
        self, text: str, kind: MemoryKind | None = None, **origin: Unpack[Origin]
    ) -> Remembered:
        (remembered,) = self.add_many([Note(text=text, kind=kind, **origin)])
        return remembered

    def add_many(self, notes: Sequence[Note]) -> list[Remembered]:
        """In their order; every 32 are kept together or not at all. While some are written the
        next are embedded."""
        drafts = [self._draft(note) for note in notes]
        remembered: list[Remembered] = []
        coming = self._embedding(drafts[:_AT_ONCE], alone=len(drafts) <= _AT_ONCE)
        for at in range(0, len(notes), _AT_ONCE):
            end = at + _AT_ONCE
            vectors, following = coming(), drafts[end : end + _AT_ONCE]
            coming = self._embedding(following, alone=not following)
            remembered += self._keep(notes[at:end], drafts[at:end], vectors)
        return remembered

    def approve(self, memory_id: str, by: str, *, how: Mapping[str, Json] | None = None) -> Memory:
        """Let a waiting memory be recalled; it now replaces what it contradicts.

        `how` is what else the audit is to know of the approval.
        """
        memory = self._keeping.memories.get(memory_id)
        if memory is None:
            raise NotFound(f"there is no memory {memory_id}")
        if not memory.waiting:
            raise Refused(f"memory {memory_id} does not wait for approval")
        if not by.strip():
            raise Refused("an approval names a person")
        approved = replace(memory, waiting=False, approved_by=by)
        (vector,) = self._vectors([memory])
        draft = _Draft(approved, vector, waits=None)
        self._meet([draft])
        with self._keeping.transactions.transaction():
            self._keeping.memories.hold()
            self._keeping.memories.replace(approved)
            self._supersede(draft, Batch(self._keeping, ()))
            self._keeping.events.append("memory.approved", actor=by, subject_id=memory_id, data=how)
        return approved

    def _embedding(
        self, drafts: Sequence[_Draft | str], *, alone: bool
    ) -> Callable[[], Sequence[bytes | None]]:
        """The vectors of what is kept of these, to come; on a thread unless there is nothing else
        to do meanwhile."""
        memories = [draft.memory for draft in drafts if isinstance(draft, _Draft)]
        if alone:
            return partial(self._vectors, memories)
        self._vectors([])  # whose the store is, is read on this thread: another has no connection
        return meanwhile(self._vectors, memories)

    def _keep(
        self,
        notes: Sequence[Note],
        drafts: Sequence[_Draft | str],
        vectors: Sequence[bytes | None],
    ) -> list[Remembered]:
        kept = [draft for draft in drafts if isinstance(draft, _Draft)]
        for draft, vector in zip(kept, vectors, strict=True):
            draft.vector = vector
        self._meet(kept)
        self._meet_each_other(kept)
        with self._keeping.transactions.transaction():
            self._keeping.memories.hold()
            batch = Batch(self._keeping, [draft.memory for draft in kept])
            remembered = [
                self._write(draft, batch)
                if isinstance(draft, _Draft)
                else self._refuse(note, draft)
                for note, draft in zip(notes, drafts, strict=True)
            ]
            batch.flush()
        return remembered

    def _draft(self, note: Note) -> _Draft | str:
        """The memory a note would become, or why it is refused."""
        try:
            Scope.parse(note.scope)
        except ValueError as error:
            hint = "personal, project:<name> or team:<name>"
            raise WrongCall(f"{note.scope!r} is no scope", hint=hint) from error
        # What is refused for its length is not read for credentials first.
        text = cleaned(note.text) if len(note.text) <= LONGEST else note.text
        kind = note.kind or kind_of(text)
        reason = junk_in(text, kind, note.trust)
        if reason is not None:
            return reason
        unasked = is_trusted(note.trust) or note.approved_by
        waits = None if unasked else instruction_in(text, kind)
        memory = Memory(
            id=new_id("mem"),
            text=text,
            kind=kind,
            scope=note.scope,
            source=note.source,
            trust=note.trust,
            session_id=note.session_id,
            created_at=note.at or self._keeping.clock.now(),
            expires_at=note.expires_at,
            waiting=waits is not None,
            approved_by=note.approved_by,
        )
        return _Draft(memory, None, waits)

    def _vectors(self, memories: Sequence[Memory]) -> Sequence[bytes | None]:
        """None where the embedder is away: upkeep embeds it later, and nobody loses a memory."""
        embedder = self._keeping.embedder
        if embedder is None:
            return [None] * len(memories)
        try:
            return embedder.embed([item_text(memory) for memory in memories])
        except EmbedderUnavailable:
            return [None] * len(memories)

    def _meet(self, drafts: Sequence[_Draft]) -> None:
        """What is there already and says the same as each, or what it takes the place of; nothing
        is replaced before somebody allowed it."""
        facts = [one for one in drafts if one.memory.kind in _FACTS and one.waits is None]
        asked = [
            Offered(one.memory.text, one.vector, one.memory.scope, one.memory.kind) for one in facts
        ]
        for draft, known in zip(facts, self._known.alike(asked), strict=True):
            self._compare(draft, known)

    def _compare(self, draft: _Draft, known: Sequence[tuple[Memory, float | None]]) -> None:
        memory, replaced = draft.memory, []
        for old, cosine in known:
            if old.id == memory.id or old.superseded_by is not None:
                continue
            if repeats(old.text, memory.text, cosine):
                if self._stands(old, memory):
                    draft.same = draft.same or old
                else:
                    replaced.append(old)
            elif may_replace(memory.trust, memory.approved_by, old) and contradiction(
                old.text, memory.text
            ):
                replaced.append(old)
        draft.replaced = () if draft.same else tuple(replaced)

    def _stands(self, old: Memory, new: Memory) -> bool:
        """The old one is enough unless the new one may be trusted more."""
        stronger = may_replace(new.trust, new.approved_by, old) and not may_replace(
            old.trust, old.approved_by, new
        )
        return not stronger and not old.waiting

    def _meet_each_other(self, drafts: Sequence[_Draft]) -> None:
        """A text that comes twice in one batch is kept once; exact twins are met while writing."""
        facts = [d for d in drafts if d.memory.kind in _FACTS and d.waits is None]
        for at, draft in enumerate(facts):
            for earlier in facts[:at]:
                one, other = earlier.memory, draft.memory
                if one.scope != other.scope or one.kind is not other.kind or earlier.same:
                    continue
                if repeats(one.text, other.text, None) and self._stands(one, other):
                    draft.same = draft.same or one
                    break

    def _write(self, draft: _Draft, batch: Batch) -> Remembered:
        memory = draft.memory
        twin = batch.twin(memory)
        if twin is not None and (self._stands(twin, memory) or (twin.waiting and draft.waits)):
            draft.same = twin
        if draft.same is not None and (merged := self._merge(draft.same, batch)) is not None:
            return merged
        batch.add(memory, draft.vector)
        if twin is not None and draft.waits is None and twin not in draft.replaced:
            draft.replaced += (twin,)
        return Remembered(
            memory=memory,
            superseded=tuple(self._supersede(draft, batch)),
            waits_for_approval=draft.waits,
        )

    def _merge(self, same: Memory, batch: Batch) -> Remembered | None:
        """Said again is said more strongly. None where it was forgotten in the meantime."""
        current = batch.stored(same.id)
        if current is None:
            return None
        stronger = replace(current, strength=strengthened(current.strength))
        self._keeping.memories.replace(stronger)
        self._keeping.tallies.add(current.scope, "merged")
        return Remembered(merged_into=current.id)

    def _supersede(self, draft: _Draft, batch: Batch) -> list[str]:
        """The old ones are kept, and marked."""
        return [old.id for old in draft.replaced if self._mark(old.id, draft.memory, batch)]

    def _mark(self, old_id: str, new: Memory, batch: Batch) -> bool:
        current = batch.stored(old_id)
        if current is None or current.superseded_by is not None:
            return False
        self._keeping.memories.replace(replace(current, superseded_by=new.id))
        self._keeping.tallies.add(current.scope, "superseded")
        batch.replaced(current, new)
        return True

    def _refuse(self, note: Note, reason: str) -> Remembered:
        self._keeping.tallies.add(note.scope, "refused")
        return Remembered(refused=reason)
