"""Consolidate: proposes that many episodes become one fact. A person decides."""

from __future__ import annotations

from hermes.ports import Memories, MemoryVectors
from hermes.records.memory import Memory, MemoryKind
from hermes.records.recall import Consolidation
from hermes.rules.remembering.cleaning import fingerprint
from hermes.rules.remembering.consolidation import groups, occasions
from hermes.rules.remembering.trust import least_trusted

_READ = 5_000  # the newest episodes; older ones were looked at before
_FEWEST_OCCASIONS = 2


class Consolidate:
    def __init__(self, memories: Memories, vectors: MemoryVectors, embedder: str) -> None:
        self._memories = memories
        self._vectors = vectors
        self._embedder = embedder

    def proposals(self, scope: str) -> list[Consolidation]:
        """The largest groups first. What is a fact already is not proposed again."""
        import numpy as np

        episodes = self._episodes(scope)
        if not episodes:
            return []
        joined = b"".join(vector for _, vector in episodes)
        vectors = np.frombuffer(joined, dtype=np.float32).reshape(len(episodes), -1)
        proposals = []
        for members, centre, likeness in groups(vectors):
            told = [episodes[at][0] for at in members]
            proposal = self._proposal(episodes[centre][0], told, likeness)
            if proposal is not None:
                proposals.append(proposal)
        return proposals

    def _episodes(self, scope: str) -> list[tuple[Memory, bytes]]:
        rows = [
            (number, vector)
            for number, kind, vector, _ in self._vectors.since(scope, self._embedder, -1)
            if kind == MemoryKind.EPISODIC.value
        ][-_READ:]
        memories = self._memories.numbered(number for number, _ in rows)
        return [
            (memory, vector)
            for number, vector in rows
            if (memory := memories.get(number)) is not None
            and memory.superseded_by is None
            and not memory.waiting
        ]

    def _proposal(
        self, centre: Memory, told: list[Memory], likeness: float
    ) -> Consolidation | None:
        days = [memory.created_at.date().isoformat() for memory in told]
        times = occasions([memory.session_id for memory in told], days)
        known = self._memories.twin(centre.scope, MemoryKind.SEMANTIC, fingerprint(centre.text))
        if times < _FEWEST_OCCASIONS or known is not None:
            return None
        return Consolidation(
            text=centre.text,
            scope=centre.scope,
            trust=least_trusted(memory.trust for memory in told),
            evidence=tuple(memory.id for memory in told),
            reason=f"{len(told)} episodes on {times} occasions, likeness {likeness:.2f}",
        )
