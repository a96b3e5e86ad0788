"""A Skills port in memory, for whatever reads skills and wants no database under its test.

It behaves as the store does, refusals included: the store's contract for skills runs on it too.
"""

from __future__ import annotations

import math
import struct
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hermes.errors import Conflict, NotFound, WrongCall
from hermes.records.skill import Skill
from hermes.store.rows import rows_of


class MemorySkills:
    """Also a Transactions port: a block that raises leaves everything as it was."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._skills: dict[str, Skill] = {}
        self._embeddings: dict[str, tuple[str, bytes]] = {}
        self._written: dict[str, int] = {}  # skill id → generation; in the order of generations
        self._generation = 0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._lock:
            skills, embeddings = dict(self._skills), dict(self._embeddings)
            written, generation = dict(self._written), self._generation
            try:
                yield
            except BaseException:
                self._skills, self._embeddings = skills, embeddings
                self._written, self._generation = written, generation
                raise

    def add(self, skill: Skill) -> None:
        with self._lock:
            if skill.id in self._skills or self.named(skill.name, skill.scope):
                raise Conflict(f"there is a skill {skill.name} already")
            self._put(skill)

    def replace(self, skill: Skill) -> None:
        with self._lock:
            if skill.id not in self._skills:
                raise NotFound(f"there is no skill {skill.id}")
            namesake = self.named(skill.name, skill.scope)
            if namesake is not None and namesake.id != skill.id:
                raise Conflict(f"there is a skill {skill.name} already")
            self._put(skill)

    def get(self, skill_id: str) -> Skill | None:
        return self._skills.get(skill_id)

    def named(self, name: str, scope: str) -> Skill | None:
        with self._lock:
            same = (s for s in self._skills.values() if (s.name, s.scope) == (name, scope))
            return next(same, None)

    def all(self) -> Sequence[Skill]:
        with self._lock:
            return sorted(self._skills.values(), key=lambda skill: (skill.scope, skill.name))

    def generation(self) -> int:
        return self._generation

    def since(self, generation: int) -> Sequence[Skill]:
        with self._lock:
            return [self._skills[key] for key, at in self._written.items() if at > generation]

    def set_embedding(self, skill_id: str, text_hash: str, vector: bytes) -> None:
        if not vector or len(vector) % 4:
            raise WrongCall(f"{len(vector)} bytes are no float32 vector")
        if not all(map(math.isfinite, struct.unpack(f"<{len(vector) // 4}f", vector))):
            raise WrongCall("a vector has finite numbers only")
        with self._lock:
            if skill_id not in self._skills:
                raise NotFound(f"there is no skill {skill_id}")
            self._embeddings[skill_id] = (text_hash, vector)
            self._wrote(skill_id)

    def embeddings(
        self, skill_ids: Sequence[str] | None = None
    ) -> Iterator[tuple[str, str, bytes]]:
        with self._lock:
            held = dict(self._embeddings)
        for skill_id in sorted(held if skill_ids is None else held.keys() & set(skill_ids)):
            yield (skill_id, *held[skill_id])

    def _put(self, skill: Skill) -> None:
        rows_of(Skill).values(skill)  # refuses what no database can hold
        self._skills[skill.id] = skill
        self._wrote(skill.id)

    def _wrote(self, skill_id: str) -> None:
        self._generation += 1
        self._written.pop(skill_id, None)
        self._written[skill_id] = self._generation
