"""Search over the heads of all skills, by word and by meaning, in step with the store.

The index lives in memory and follows the library's generation: a search first reads what was
written since the last one, by whichever process, and nothing else. A skill without a vector is
found by its words; nobody waits for a model to embed it. Vectors are computed by `embed_missing`,
in the background, and stored with the hash of their text, so that every process shares them.
"""

from __future__ import annotations

import math
import threading
import time
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.errors import CorruptData, EmbedderUnavailable
from hermes.ids import content_hash
from hermes.ports import Embedder, Skills, Transactions
from hermes.records.skill import Skill, SkillState
from hermes.rules.catalogue import Shelf, category_of
from hermes.rules.similarity.fusion import best_first, coverage, fuse
from hermes.rules.similarity.heads import head_fields, head_text, task_text, task_words
from hermes.rules.similarity.lexical import LexicalIndex
from hermes.rules.similarity.tokens import words_by_token
from hermes.rules.similarity.vectors import VectorTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_REMEMBERED = 64  # vectors of queries; a process works on fewer tasks at once
_EMBEDDED_AT_ONCE = 32  # a third of a second on one core, so a deadline is kept that well
_NAMED_WORDS = 4  # in `why`; more explain no better


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A skill that was found. `semantic` is None where there is no vector to compare.

    `score` orders the hits; `why` tells a person what made this one.
    """

    skill: Skill
    score: float
    lexical: float
    semantic: float | None
    why: str


def is_shown(skill: Skill) -> bool:
    """What a search includes unless it is told otherwise."""
    return skill.is_shown


class SkillSearch:
    """One for a process, shared by its threads: a single lock guards the index.

    The lock is never held while a text is embedded. With no embedder, words alone decide. Not to
    be asked inside a transaction that may still be undone: what it read would be too.
    """

    def __init__(
        self,
        skills: Skills,
        embedder: Embedder | None = None,
        transactions: Transactions | None = None,
    ) -> None:
        self._store = skills
        self._embedder = embedder
        self._transactions = transactions
        self._lock = threading.RLock()
        self._query_vectors: dict[str, bytes] = {}
        self._shelf: Shelf | None = None
        self._forget()

    def search(
        self, text: str, limit: int, *, include: Callable[[Skill], bool] = is_shown
    ) -> list[Hit]:
        """The best hits, best first. `include` replaces the default, which shows live ones only."""
        with self._lock:
            self._follow()
            meaning_helps = len(self._vectors) > 0
        query = self._query_vector(text) if meaning_helps else None
        with self._lock:
            self._follow()
            return self._ranked(task_words(text), query, limit, include)

    def shelf(self) -> Shelf:
        """Every skill a prompt may name, by category and name: an order that does not wander."""
        with self._lock:
            self._follow()
            if self._shelf is None:
                self._shelf = Shelf(
                    skills=tuple(self._skills[key] for _, _, key in self._order),
                    pinned=tuple(sorted(self._pinned.values(), key=_place)),
                    counts=+self._counts,  # a copy, without the categories that are empty now
                )
            return self._shelf

    def embed_missing(self, *, limit: int | None = None, seconds: float | None = None) -> int:
        """Give vectors to skills that have none, the most used first; how many got one.

        Stops after `limit` of them or when the time is over, between two batches.
        """
        if self._embedder is None:
            return 0
        ends = None if seconds is None else time.monotonic() + seconds
        todo = self._without_vector()[:limit]
        done = 0
        while done < len(todo) and (ends is None or time.monotonic() < ends):
            batch = todo[done : done + _EMBEDDED_AT_ONCE]
            self._embed(self._embedder, batch)
            done += len(batch)
        return done

    def _forget(self) -> None:
        self._generation = -1
        self._skills: dict[str, Skill] = {}
        self._hashes: dict[str, str] = {}  # skill id → hash of the text its vector must be of
        self._order: list[tuple[str, str, str]] = []  # (category, name, id) of the shown
        self._pinned: dict[str, Skill] = {}
        self._counts: Counter[str] = Counter()
        self._index = LexicalIndex()
        self._vectors = VectorTable(self._embedder.dimensions if self._embedder else 0)
        self._shelf = None

    def _follow(self) -> None:
        """Read what was written since the last look."""
        generation = self._store.generation()
        if generation == self._generation:
            return
        if generation < self._generation:  # an older database was put in place of this one
            self._forget()
        first = self._generation < 0
        changed = self._store.all() if first else self._store.since(self._generation)
        for skill in changed:
            self._take(skill)
        if self._embedder is not None:
            self._load_vectors(None if first else self._lacking(changed))
        self._generation = generation
        self._shelf = None

    def _take(self, skill: Skill) -> None:
        before = self._skills.get(skill.id)
        self._skills[skill.id] = skill
        self._shelve(before, skill)
        fields = head_fields(skill)
        if before is not None and head_fields(before) == fields:
            return
        slot = self._index.add(skill.id, fields)
        if self._embedder is not None:
            wanted = _text_hash(self._embedder, head_text(skill))
            if self._hashes.get(skill.id) != wanted:
                self._hashes[skill.id] = wanted
                self._vectors.drop(slot)

    def _shelve(self, before: Skill | None, after: Skill) -> None:
        """Keep order and counts as they go: after each use of a skill, going through all of them
        would take longer than the search."""
        if before is not None and before.is_shown:
            del self._order[bisect_left(self._order, _place(before))]
            self._counts[category_of(before)] -= 1
            self._pinned.pop(before.id, None)
        if after.is_shown:
            insort(self._order, _place(after))
            self._counts[category_of(after)] += 1
            if after.pinned:
                self._pinned[after.id] = after

    def _lacking(self, skills: Sequence[Skill]) -> list[str]:
        return [s.id for s in skills if self._index.slot_of(s.id) not in self._vectors]

    def _load_vectors(self, skill_ids: Sequence[str] | None) -> None:
        if skill_ids is not None and not skill_ids:
            return
        for skill_id, text_hash, vector in self._store.embeddings(skill_ids):
            self._put_vector(skill_id, text_hash, vector)

    def _put_vector(self, skill_id: str, text_hash: str, vector: bytes) -> None:
        """Keep a vector if it is of the text the skill has now, from the embedder in use."""
        if self._embedder is None or self._hashes.get(skill_id) != text_hash:
            return
        if len(vector) != 4 * self._embedder.dimensions:
            raise CorruptData(
                f"its vector has {len(vector)} bytes, not {4 * self._embedder.dimensions}",
                where=f"embedding of skill {skill_id}",
                hint="`hermes db verify` lists every damaged row; restore a backup",
            )
        self._vectors.put(self._index.slot_of(skill_id), vector)

    def _query_vector(self, text: str) -> bytes | None:
        """The vector of a query, remembered: one task asks several times."""
        if self._embedder is None:
            return None
        start = task_text(text)
        known = self._query_vectors.get(start)
        if known is not None:
            return known
        try:
            (vector,) = self._embedder.embed([start])
        except EmbedderUnavailable:  # it has said so itself; words do meanwhile
            return None
        with self._lock:
            if len(self._query_vectors) >= _REMEMBERED:
                del self._query_vectors[next(iter(self._query_vectors))]
            self._query_vectors[start] = vector
        return vector

    def _ranked(
        self, text: str, query: bytes | None, limit: int, include: Callable[[Skill], bool]
    ) -> list[Hit]:
        import numpy as np

        covered = coverage(self._index.scores(text))
        cosines: NDArray[np.float32] = (
            np.full_like(covered, np.nan)
            if query is None
            else self._vectors.similarities(query, self._index.slots)
        )
        scores = fuse(covered, cosines)
        words = words_by_token(text)
        hits: list[Hit] = []
        for slot in best_first(scores, ahead=4 * limit):
            score, key = float(scores[slot]), self._index.key_at(slot)
            if len(hits) >= limit or score <= 0.0 or key is None:
                break
            if include(skill := self._skills[key]):
                cosine = float(cosines[slot])
                semantic = None if math.isnan(cosine) else cosine
                why = _why(self._index.terms_of(key), words, semantic)
                lexical = float(covered[slot])
                hits.append(
                    Hit(skill=skill, score=score, lexical=lexical, semantic=semantic, why=why)
                )
        return sorted(hits, key=lambda hit: (-hit.score, hit.skill.name))

    def _without_vector(self) -> list[tuple[str, str, str]]:
        """(skill id, text hash, text) of those that lack one; the archived are not searched."""
        with self._lock:
            self._follow()
            lacking = [
                skill
                for skill in self._skills.values()
                if skill.state is not SkillState.ARCHIVED
                and self._index.slot_of(skill.id) not in self._vectors
            ]
            lacking.sort(key=lambda skill: (-skill.usage_count, skill.id))
            return [(skill.id, self._hashes[skill.id], head_text(skill)) for skill in lacking]

    def _embed(self, embedder: Embedder, batch: Sequence[tuple[str, str, str]]) -> None:
        vectors = embedder.embed([text for _, _, text in batch])
        together = self._transactions.transaction() if self._transactions else nullcontext()
        with together:
            for (skill_id, text_hash, _), vector in zip(batch, vectors, strict=True):
                self._store.set_embedding(skill_id, text_hash, vector)
        with self._lock:
            for (skill_id, text_hash, _), vector in zip(batch, vectors, strict=True):
                self._put_vector(skill_id, text_hash, vector)


def _place(skill: Skill) -> tuple[str, str, str]:
    return skill.category, skill.name, skill.id


def _why(terms: Sequence[str], words: Mapping[str, str], semantic: float | None) -> str:
    shared = dict.fromkeys(words[term] for term in terms if term in words)
    reasons = [f"words: {', '.join(list(shared)[:_NAMED_WORDS])}"] if shared else []
    if semantic is not None:
        reasons.append(f"meaning: {semantic:.2f}")
    return "; ".join(reasons)


def _text_hash(embedder: Embedder, text: str) -> str:
    """Names the embedder too: another model's vector of the same text is another vector."""
    return content_hash(f"{embedder.name}\0{text}".encode("utf-8", "surrogatepass"))
