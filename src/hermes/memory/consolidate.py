"""Consolidate: proposes that many episodes become one fact. A person decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hermes.errors import Refused
from hermes.memory.remember import Keeping, Remember
from hermes.records.codec import Json
from hermes.records.memory import Memory, MemoryKind, Trust
from hermes.records.recall import Consolidation
from hermes.rules.remembering.cleaning import fingerprint
from hermes.rules.remembering.consolidation import groups, occasions
from hermes.rules.remembering.trust import least_trusted

_READ = 5_000  # the newest episodes; older ones were looked at before
_FEWEST_OCCASIONS = 2


class Consolidate:
    def __init__(self, keeping: Keeping, remember: Remember, embedder: str) -> None:
        self._keeping = keeping
        self._memories = keeping.memories
        self._vectors = keeping.vectors
        self._remember = remember
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

    def accept(
        self,
        proposal: Consolidation,
        by: str,
        *,
        text: str | None = None,
        how: Mapping[str, Json] | None = None,
    ) -> str:
        """Remember the fact, marked as what its episodes led to; its id.

        A `text` of the person's own takes the place of the proposed one. The episodes stay, and
        give way to the fact in every recall.
        """
        with self._keeping.transactions.transaction():
            remembered = self._remember.add(
                text or proposal.text,
                MemoryKind.SEMANTIC,
                scope=proposal.scope,
                source="consolidation",
                trust=Trust.USER if text else proposal.trust,
                approved_by=by,
            )
            fact = remembered.memory.id if remembered.memory else remembered.merged_into
            if fact is None:
                raise Refused(f"this is not kept as a fact: {remembered.refused}")
            told = [one for one in proposal.evidence if self._gives_way(one, fact)]
            self._keeping.events.append(
                "memory.consolidated",
                actor=by,
                subject_id=fact,
                data={**(how or {}), "episodes": told},
            )
        return fact

    def _gives_way(self, episode_id: str, fact: str) -> bool:
        """False where it was forgotten or replaced since it was proposed."""
        episode = self._memories.get(episode_id)
        if episode is None or episode.superseded_by is not None:
            return False
        self._memories.replace(replace(episode, superseded_by=fact))
        self._keeping.tallies.add(episode.scope, "superseded")
        return True

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
