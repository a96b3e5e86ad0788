"""Does the search find the skill a task needs? Measured on a labelled set of our own.

Queries are of five kinds: a paraphrase that shares few words with its skill, an identifier or error
message, a few keywords, a task as people really write them, and a negative that no skill fits.
The fusion weight is fitted on the skills of one half and measured on those of the other.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hermes.records.origin import Origin
from hermes.records.skill import Skill
from hermes.rules.similarity.fusion import LEXICAL_WEIGHT, coverage, fuse
from hermes.rules.similarity.heads import head_fields, head_text, task_text, task_words
from hermes.rules.similarity.lexical import LexicalIndex

Embed = Callable[[Sequence[str]], Sequence[bytes]]
Matrix = NDArray[np.float32]

DATA = Path(__file__).parent / "data" / "skill_queries.json"
NEGATIVE = "negative"
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    text: str
    kind: str
    expects: tuple[str, ...]

    @property
    def fits(self) -> bool:
        """Which half it is in: decided by its skill, so that no skill is in both."""
        key = self.expects[0] if self.expects else self.text
        return hashlib.sha256(key.encode()).digest()[0] % 2 == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What part of the right skills is among the first 1, 5 and 10."""

    half: str
    method: str
    kind: str
    queries: int
    at_1: float
    at_5: float
    at_10: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalReport:
    """`separation` is how often the right hit of a query outscores the best hit of a query that
    no skill fits: 0.5 would be chance."""

    skills: int
    queries: int
    shipped_weight: float
    fitted_weight: float
    recalls: tuple[Recall, ...]
    separation: dict[str, float]


@dataclass(frozen=True, slots=True)
class _Scored:
    """Every query against every skill, by words and by meaning."""

    queries: tuple[Query, ...]
    right: tuple[tuple[int, ...], ...]
    words: Matrix
    meaning: Matrix

    def both(self, weight: float) -> Matrix:
        return fuse(self.words, self.meaning, weight)


def labelled_set() -> tuple[list[Skill], tuple[Query, ...]]:
    data = json.loads(DATA.read_text(encoding="utf-8"))
    skills = [
        Skill(
            id=head["name"],
            name=head["name"],
            category=head["category"],
            location=head["name"],
            description=head["description"],
            tags=tuple(head["tags"]),
            trigger_conditions=tuple(head["trigger_conditions"]),
            origin=Origin.BUNDLED,
            created_at=_EPOCH,
            updated_at=_EPOCH,
        )
        for head in data["skills"]
    ]
    queries = tuple(
        Query(text=one["text"], kind=one["kind"], expects=tuple(one["expects"]))
        for one in data["queries"]
    )
    return skills, queries


def measure(embed: Embed) -> RetrievalReport:
    """Fit on one half, report on both; the held-out half is the one to believe."""
    skills, queries = labelled_set()
    scored = _score(skills, queries, embed)
    methods = {
        "words": scored.words,
        "meaning": scored.meaning,
        "both": scored.both(LEXICAL_WEIGHT),
    }
    recalls = [
        _recall(scored, scores, method, half, kind)
        for half in ("held out", "fitted")
        for method, scores in methods.items()
        for kind in ("all", *dict.fromkeys(query.kind for query in queries))
        if kind != NEGATIVE
    ]
    return RetrievalReport(
        skills=len(skills),
        queries=len(queries),
        shipped_weight=LEXICAL_WEIGHT,
        fitted_weight=_fitted_weight(scored),
        recalls=tuple(recalls),
        separation={method: _separation(scored, scores) for method, scores in methods.items()},
    )


def _score(skills: Sequence[Skill], queries: tuple[Query, ...], embed: Embed) -> _Scored:
    index = LexicalIndex()
    for skill in skills:
        index.add(skill.id, head_fields(skill))
    words = np.stack([coverage(index.scores(task_words(query.text))) for query in queries])
    heads = _matrix(embed([head_text(skill) for skill in skills]))
    asked = _matrix(embed([task_text(query.text) for query in queries]))
    right = tuple(tuple(map(index.slot_of, query.expects)) for query in queries)
    return _Scored(queries, right, words, asked @ heads.T)


def _matrix(vectors: Sequence[bytes]) -> Matrix:
    return np.stack([np.frombuffer(vector, dtype=np.float32) for vector in vectors])


def _ranks(scored: _Scored, scores: Matrix, chosen: Sequence[int]) -> list[list[int]]:
    """For each chosen query, the places of its right skills, the best place being 0."""
    places = np.argsort(np.argsort(-scores[list(chosen)], axis=1, kind="stable"), axis=1)
    return [
        [int(row[slot]) for slot in scored.right[at]]
        for at, row in zip(chosen, places, strict=True)
    ]


def _chosen(scored: _Scored, half: str, kind: str = "all") -> list[int]:
    return [
        at
        for at, query in enumerate(scored.queries)
        if query.kind != NEGATIVE
        and query.fits == (half == "fitted")
        and kind in ("all", query.kind)
    ]


def _recall(scored: _Scored, scores: Matrix, method: str, half: str, kind: str) -> Recall:
    chosen = _chosen(scored, half, kind)
    ranks = _ranks(scored, scores, chosen)

    def at(limit: int) -> float:
        shares = [sum(rank < limit for rank in places) / len(places) for places in ranks]
        return sum(shares) / len(shares)

    return Recall(
        half=half,
        method=method,
        kind=kind,
        queries=len(chosen),
        at_1=at(1),
        at_5=at(5),
        at_10=at(10),
    )


def _fitted_weight(scored: _Scored) -> float:
    """The weight with the best mean reciprocal rank on the fitting half, in steps of 0.05."""
    chosen = _chosen(scored, "fitted")

    def quality(weight: float) -> float:
        ranks = _ranks(scored, scored.both(weight), chosen)
        return sum(1 / (1 + min(places)) for places in ranks)

    return max((step / 20 for step in range(21)), key=quality)


def _separation(scored: _Scored, scores: Matrix) -> float:
    senseless = [at for at, query in enumerate(scored.queries) if query.kind == NEGATIVE]
    noise = scores[senseless].max(axis=1)
    right = [scores[at, list(scored.right[at])].max() for at in _chosen(scored, "held out")]
    return float(np.mean(np.array(right)[:, None] > noise[None, :]))
