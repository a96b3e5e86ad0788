"""Skills: every write gives the library a new generation, in the same transaction."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence

from hermes.errors import WrongCall
from hermes.ids import canonical_json
from hermes.records.skill import Skill
from hermes.store.tables.table import Table

_VECTORS = 512  # rows of vectors in memory at once
_MOST_DIMENSIONS = 16_000  # what pgvector holds


class SkillTable(Table[Skill]):
    word = "skill"
    table = "skills"
    record = Skill

    def add(self, skill: Skill) -> None:
        with self._db.transaction():
            self._insert(skill, generation=self._next_generation())

    def replace(self, skill: Skill) -> None:
        with self._db.transaction():
            self._replace(skill, generation=self._next_generation())

    def get(self, skill_id: str) -> Skill | None:
        return self._one("get_skill", id=skill_id)

    def named(self, name: str, scope: str) -> Skill | None:
        return self._one("skill_named", name=name, scope=scope)

    def all(self) -> Sequence[Skill]:
        return self._many("all_skills")

    def generation(self) -> int:
        ((value,),) = self._db.all("current_generation")
        return int(value)

    def since(self, generation: int) -> Sequence[Skill]:
        """The skills written after that generation, without reading the others."""
        return self._many("skills_since", generation=generation)

    def set_embedding(self, skill_id: str, text_hash: str, vector: bytes) -> None:
        stored = self._db.dialect.vector_in(checked_vector(vector))
        with self._db.transaction():
            generation = self._next_generation()
            values = {"id": skill_id, "text_hash": text_hash, "generation": generation}
            if not self._db.run("set_embedding", embedding=stored, **values):
                raise self._missing(skill_id)

    def embeddings(
        self, skill_ids: Sequence[str] | None = None
    ) -> Iterator[tuple[str, str, bytes]]:
        """(skill id, hash of the embedded text, float32 vector) of all, or of the named."""
        read = self._db.dialect.vector_out
        if skill_ids is not None:
            for skill_id, text_hash, vector in self._db.all(
                "embeddings_of", ids=canonical_json(list(skill_ids))
            ):
                yield skill_id, text_hash, read(vector)
            return
        after = ""
        while rows := self._db.all("page_embeddings", after=after, limit=_VECTORS):
            for after, text_hash, vector in rows:
                yield after, text_hash, read(vector)

    def _next_generation(self) -> int:
        ((value,),) = self._db.all("next_generation")
        return int(value)


def checked_vector(vector: bytes) -> bytes:
    """What either database would refuse is refused here, so that both refuse the same."""
    count, rest = divmod(len(vector), 4)
    if rest or not 1 <= count <= _MOST_DIMENSIONS:
        raise WrongCall(f"{len(vector)} bytes are no float32 vector of 1 to {_MOST_DIMENSIONS}")
    if not all(map(math.isfinite, struct.unpack(f"<{count}f", vector))):
        raise WrongCall("a vector has finite numbers only")
    return vector
