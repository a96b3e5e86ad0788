"""Which runs answer a query: words and meaning of their passages, grouped under the run.

The words of a question are often spread over a run: the request names the thing, an error its code.
So a run counts by its best passage and, for a part, by how much of the query all its passages hold
together. Meaning is that of its nearest passage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.memory.past.book import Book
from hermes.rules.past.scoring import blended, worth_showing
from hermes.rules.recalling.blending import ceiling, rarities
from hermes.rules.similarity.bm25 import length_factor, term_score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]
    Floats = NDArray[np.float32]
    Numbers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

_TOGETHER = 0.3
"""The part of the words' score that all passages of a run decide together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is looked for, and in which runs. `vector` is None where words alone decide."""

    terms: tuple[str, ...]
    vector: Floats | None
    since: float | None
    agent: str | None
    min_similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHit:
    """A run of a book, and the scores of its passages: words for each, meaning where known."""

    book: Book
    index: int
    score: float
    lexical: dict[int, float]
    semantic: dict[int, float]


@dataclass(slots=True)
class _Scored:
    """The scores of one book: of its passages, of its vectors' passages, and of its runs."""

    book: Book
    passages: Floats
    cosines: Floats
    lexical: Doubles
    meaning: Doubles
    allowed: Flags


def best_runs(books: Sequence[Book], asked: Asked, k: int) -> list[RunHit]:
    """The best `k` runs of these books, best first; the newer one of two that are alike."""
    import numpy as np

    scored = _scored([book for book in books if book.runs], asked)
    if not scored:
        return []
    lexical = np.concatenate([one.lexical for one in scored])
    meaning = np.concatenate([one.meaning for one in scored])
    allowed = np.concatenate([one.allowed for one in scored])
    started = np.concatenate([one.book.started for one in scored])
    score = blended(lexical, meaning)
    chosen = np.flatnonzero(allowed)
    chosen = chosen[worth_showing(lexical[chosen], meaning[chosen], asked.min_similarity)]
    order = chosen[np.lexsort((-started[chosen], -score[chosen]))][:k]
    starts = np.cumsum([0, *(len(one.lexical) for one in scored)])
    hits = []
    for at in order.tolist():
        which = int(np.searchsorted(starts, at, side="right")) - 1
        hits.append(_hit(scored[which], at - int(starts[which]), float(score[at])))
    return hits


def _scored(books: Sequence[Book], asked: Asked) -> list[_Scored]:
    """Rarity is counted over all books that the search may see, and over no other."""
    found = [{term: book.postings(term) for term in asked.terms} for book in books]
    documents = sum(book.passages for book in books)
    having = {term: sum(len(one[term][0]) for one in found) for term in asked.terms}
    rare = rarities(documents, having, asked.terms)
    mean_length = max(sum(book.total_length for book in books) / max(documents, 1), 1.0)
    highest, weight = ceiling(rare, asked.terms) or 1.0, sum(rare.values()) or 1.0
    scored = []
    for book, postings in zip(books, found, strict=True):
        passages, together = _words(book, postings, rare, mean_length)
        best = _best_of_runs(book, passages) / highest
        lexical = (1.0 - _TOGETHER) * best.clip(0.0, 1.0) + _TOGETHER * together / weight
        cosines, meaning = _meaning(book, asked.vector)
        allowed = _allowed(book, asked)
        scored.append(_Scored(book, passages / highest, cosines, lexical, meaning, allowed))
    return scored


def _words(
    book: Book,
    postings: dict[str, tuple[Numbers, Floats]],
    rare: dict[str, float],
    mean_length: float,
) -> tuple[Floats, Doubles]:
    """BM25 of every passage; and of every run, the weight of the terms that it has anywhere."""
    import numpy as np

    scores = np.zeros(len(book.places), dtype=np.float32)
    together = np.zeros(len(book.runs))
    for term, (passages, counts) in postings.items():
        if len(passages):
            factors = length_factor(book.lengths[passages], mean_length)
            scores[passages] += term_score(rare[term], counts, factors)
            has = np.zeros(len(book.runs), dtype=np.bool_)
            has[book.run_of[passages]] = True
            together[has] += rare[term]
    return scores, together


def _best_of_runs(book: Book, scores: Floats) -> Doubles:
    """The highest score of each run: its passages lie side by side, and there is one at least."""
    import numpy as np

    return np.maximum.reduceat(scores, book.firsts).astype(np.float64)


def _meaning(book: Book, vector: Floats | None) -> tuple[Floats, Doubles]:
    """The cosine of each vector; of each run the highest, and nothing where it has none."""
    import numpy as np

    meaning = np.full(len(book.runs), np.nan)
    if vector is None or not len(book.vectors):
        return np.zeros(0, dtype=np.float32), meaning
    cosines = np.vecdot(book.vectors, vector)
    best = np.full(len(book.runs), -np.inf, dtype=np.float32)
    np.maximum.at(best, book.run_of[book.vector_passages], cosines)
    known = np.isfinite(best)
    meaning[known] = best[known]
    return cosines, meaning


def _allowed(book: Book, asked: Asked) -> Flags:
    import numpy as np

    allowed = book.alive.copy()
    if asked.since is not None:
        allowed &= book.started >= asked.since
    if asked.agent is not None:
        allowed &= np.array([run.agent == asked.agent for run in book.runs], dtype=np.bool_)
    return allowed


def _hit(scored: _Scored, index: int, score: float) -> RunHit:
    import numpy as np

    book = scored.book
    first, end = _passages_of(book, index)
    matching = np.flatnonzero(scored.passages[first:end]) + first
    lexical = {at: min(float(scored.passages[at]), 1.0) for at in matching.tolist()}
    semantic = {}
    if len(scored.cosines):
        near = np.flatnonzero((book.vector_passages >= first) & (book.vector_passages < end))
        semantic = {int(book.vector_passages[row]): float(scored.cosines[row]) for row in near}
    return RunHit(book=book, index=index, score=score, lexical=lexical, semantic=semantic)


def _passages_of(book: Book, index: int) -> tuple[int, int]:
    """The first passage of a run, and the one after its last."""
    last = index + 1 == len(book.runs)
    return book.runs[index].first, len(book.places) if last else book.runs[index + 1].first
