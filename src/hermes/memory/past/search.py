"""PastWork: which runs answer a query, with the words around each hit.

Reads the books of the scopes it was given, and in the end the steps of what it shows. First it
indexes a few runs that no index has yet, so that a run that just ended is found. A hit is looked at
again in its text: what was forgotten or recorded anew meanwhile is not shown.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hermes.errors import CorruptData, EmbedderUnavailable
from hermes.memory.embedding import label_of
from hermes.memory.past.book import Book
from hermes.memory.past.books import Books
from hermes.memory.past.indexing import Indexing, PastSources, passage_text
from hermes.memory.past.packing import KINDS
from hermes.memory.past.ranking import Asked, RunHit, best_runs
from hermes.records.past import PastFound, PastPassage, PastRun
from hermes.rules.past.snippets import snippet
from hermes.rules.similarity.tokens import tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_INDEXED_AT_ONCE = 8  # runs that a search takes up before it looks; about a tenth of a second
_SHOWN = 3  # passages of a run
_COMPANY = 0.5  # of the best passage's score; what is fainter is no hit of its own
_NEAR = 0.35  # cosine from which a passage is shown for its meaning
_TASK_SHOWN = 300
_WORDS_READ = 64  # terms of a query; a pasted page has its point in the first
_QUERIES_KEPT = 64


class PastWork:
    """One for a process, shared by its threads."""

    def __init__(self, sources: PastSources, min_similarity: float) -> None:
        self._sources = sources
        self._min_similarity = min_similarity
        self._indexing = Indexing(sources)
        embedder = sources.embedder
        label = label_of(embedder) if embedder else None
        self._books = Books(sources.passages, label, embedder.dimensions if embedder else 0)
        self._lock = threading.Lock()
        self._vectors: dict[str, bytes] = {}

    def search(
        self,
        query: str,
        k: int = 8,
        *,
        scopes: Sequence[str],
        since: datetime | None = None,
        agent: str | None = None,
    ) -> PastFound:
        """The best `k` runs of these scopes, that began after `since` and are of this agent.

        By words alone while the embedder is away.
        """
        terms = tuple(dict.fromkeys(tokens(query)))[:_WORDS_READ]
        if k < 1 or not scopes or not query.strip():
            return PastFound()
        self._indexing.take_up(_INDEXED_AT_ONCE)
        asked = Asked(
            terms=terms,
            vector=self._vector_of(query),
            since=None if since is None else since.timestamp(),
            agent=agent,
            min_similarity=self._min_similarity,
        )
        with self._books.lock:
            books = self._following(scopes)
            hits = best_runs(books, asked, k)
            return self._found(hits, terms)

    def catch_up(self, *, limit: int | None = None, seconds: float | None = None) -> int:
        """Index and embed what lacks it, the newest first; how many runs were taken up."""
        return self._indexing.run(limit=limit, seconds=seconds)

    def unread(self) -> int:
        """How many ended runs no search finds yet."""
        return self._indexing.unread()

    def _following(self, scopes: Sequence[str]) -> list[Book]:
        """The books of these scopes; what was found damaged in the index is indexed again first."""
        renewed = self._books.renewed
        books = self._books.following(scopes)
        if self._books.renewed > renewed:
            self._indexing.take_up(self._books.renewed - renewed)
            books = self._books.following(scopes)
        return books

    def _vector_of(self, query: str) -> NDArray[np.float32] | None:
        import numpy as np

        embedder = self._sources.embedder
        if embedder is None:
            return None
        known = self._vectors.get(query)
        if known is None:
            try:
                (known,) = embedder.embed([query])
            except EmbedderUnavailable:
                return None
            with self._lock:
                if len(self._vectors) >= _QUERIES_KEPT:
                    del self._vectors[next(iter(self._vectors))]
                self._vectors[query] = known
        return np.frombuffer(known, dtype=np.float32)

    def _found(self, hits: Sequence[RunHit], terms: tuple[str, ...]) -> PastFound:
        """A run that turns out to be damaged is told, and hides no other."""
        runs, problems = [], [str(one) for one in self._indexing.damaged.values()]
        for hit in hits:
            try:
                run = self._run(hit, terms)
            except CorruptData as error:
                problems.append(str(error))
                continue
            if run is not None:
                runs.append(run)
        return PastFound(runs=tuple(runs), unread=self._indexing.unread(), problems=tuple(problems))

    def _run(self, hit: RunHit, terms: tuple[str, ...]) -> PastRun | None:
        found = hit.book.runs[hit.index]
        asked = self._sources.passages.asked(found.trajectory_id)
        passages = tuple(self._passages(hit, terms)) if asked else ()
        if asked is None or not passages:
            return None
        session_id, task = asked
        return PastRun(
            trajectory_id=found.trajectory_id,
            session_id=session_id,
            agent=found.agent,
            task=" ".join(task[: 4 * _TASK_SHOWN].split())[:_TASK_SHOWN],
            started_at=datetime.fromtimestamp(found.started, UTC),
            score=hit.score,
            passages=passages,
            more=max(len(hit.lexical) - len(passages), 0),
        )

    def _passages(self, hit: RunHit, terms: tuple[str, ...]) -> Iterator[PastPassage]:
        shown: set[str] = set()
        for at in _order(hit):
            place = hit.book.places[at]
            trajectory_id = hit.book.runs[hit.index].trajectory_id
            text = passage_text(self._sources, trajectory_id, int(place["step"]))
            words = snippet(text[int(place["start"]) : int(place["end"])], terms)
            by_meaning = hit.semantic.get(at, 0.0) >= _NEAR
            if not words.text or words.text in shown or not (words.marks or by_meaning):
                continue
            shown.add(words.text)
            yield PastPassage(
                step_id=int(place["step"]),
                kind=KINDS[int(place["kind"])],
                snippet=words,
                lexical=hit.lexical.get(at, 0.0),
                semantic=hit.semantic.get(at),
            )
            if len(shown) == _SHOWN:
                return


def _order(hit: RunHit) -> list[int]:
    """Passages by their words, best first, then the one that is nearest in meaning."""
    by_words = sorted(hit.lexical, key=lambda at: (-hit.lexical[at], at))
    least = _COMPANY * hit.lexical[by_words[0]] if by_words else 0.0
    order = [at for at in by_words if hit.lexical[at] >= least]
    if hit.semantic:
        nearest = max(hit.semantic, key=lambda at: (hit.semantic[at], -at))
        if hit.semantic[nearest] >= _NEAR and nearest not in order[:_SHOWN]:
            order.insert(min(len(order), _SHOWN - 1), nearest)
    return order
