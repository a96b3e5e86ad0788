"""Recall: the memories that answer a query, best first, each with why.

Reads the shelves of the scopes it was given, the nearest vectors of those scopes, and in the end
the rows of what it shows. Writes nothing while it searches: what was of use is noted and written
down by `settle`, so that nobody waits for a disk.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from typing import TYPE_CHECKING

from hermes.errors import EmbedderUnavailable
from hermes.memory.candidates import (
    BY_MEANING,
    Asking,
    ByWords,
    Candidates,
    best_numbers,
    by_words,
    candidates,
)
from hermes.memory.meanwhile import meanwhile
from hermes.memory.note import Offered
from hermes.memory.ranking import Cosines, Ranked, promising_neighbours, ranked
from hermes.memory.shelf import KINDS
from hermes.memory.shelves import Shelves
from hermes.ports import Clock, Embedder, Memories, MemoryTallies, Near, Nearest, Transactions
from hermes.records.memory import Memory, MemoryKind
from hermes.records.recall import Cut, Hit, Recalled, Why
from hermes.rules.recalling.centring import FEWEST, centre_of, seen_from
from hermes.rules.recalling.choosing import Choosing, shown_words
from hermes.rules.recalling.fading import SECONDS_A_DAY, strengthened
from hermes.rules.recalling.terms import query_terms, query_text
from hermes.rules.recalling.weights import RecallPolicy, Weights
from hermes.rules.similarity.tokens import tokens, words_by_token

if TYPE_CHECKING:
    from hermes.rules.recalling.terms import Query

_QUERIES_KEPT = 256
_UNSETTLED = 256  # recalled memories; each is read again by whoever keeps a shelf
_LOOKING = RecallPolicy(
    min_similarity=0.3, fades=False, weights=Weights(neighbour=0, next_neighbour=0, time=0)
)
_ASKED = 20_000  # characters of a question that are read: who pastes a log asks by its beginning
_ROWS_AHEAD = 4  # rows read beyond what is asked for: some will say the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where recalling looks. Without `embedder` and `nearest` words alone decide.

    `agree` raises EmbedderUnavailable where the store is not the embedder's.
    """

    memories: Memories
    shelves: Shelves
    tallies: MemoryTallies
    transactions: Transactions
    clock: Clock
    embedder: Embedder | None = None
    nearest: Nearest | None = None
    agree: Callable[[], None] = lambda: None


class Recall:
    """One for a process, shared by its threads."""

    def __init__(self, sources: Sources, policy: RecallPolicy | None = None) -> None:
        self._sources = sources
        self._policy = policy or RecallPolicy()
        self._lock = threading.Lock()
        self._vectors: dict[str, bytes] = {}
        self._coming: tuple[str, Callable[[], bytes | None]] | None = None
        self._settling: Callable[[], None] | None = None
        self._strengths: dict[int, float] = {}
        self._counted: Counter[tuple[str, str]] = Counter()

    def search(
        self,
        query: str,
        *,
        scopes: Sequence[str],
        kinds: Sequence[MemoryKind] | None = None,
        k: int = 8,
        token_budget: int | None = None,
        now: datetime | None = None,
        session_context: str | None = None,
    ) -> Recalled:
        """The best `k` of these scopes. `session_context` is what was said just before."""
        moment, query = now or self._sources.clock.now(), query[:_ASKED]
        asked = query_terms(query, moment.date(), session_context)
        scopes = tuple(dict.fromkeys(scopes))
        if not scopes or k < 1 or not query.strip():
            return Recalled()
        wanted = frozenset(KINDS if kinds is None else (kind.value for kind in kinds))
        found, known = self._found(query, asked, wanted, moment, scopes)
        order = ranked(found, known, asked, self._policy, moment.timestamp())
        hits, choosing = self._shown(query, order, k, token_budget)
        if self._policy.reinforces:
            self._note(scopes, hits)
        cut = Cut(
            unlike=order.unlike,
            near_duplicates=choosing.near_duplicates,
            expired=order.expired,
            waiting=order.waiting,
            over_budget=choosing.over_budget,
        )
        return Recalled(items=tuple(hits.values()), cut=cut)

    def expect(self, query: str, scopes: Sequence[str]) -> None:
        """Begin to embed what will be searched for in a moment, on another core."""
        query = query[:_ASKED]
        asked = query_terms(query, self._sources.clock.now().date())
        with self._sources.shelves.lock:
            speakers = self._speakers(asked, scopes)
        self._coming = None  # of another time; it may have failed
        self._coming = query_text(query, speakers), self._embedding(query, speakers)

    def warm(self, scopes: Sequence[str]) -> None:
        """Read what searches of these scopes will need, before anybody waits for one."""
        import numpy as np

        self._sources.shelves.load_commonest(scopes)
        if self._sources.nearest is not None and self._sources.embedder is not None:
            anywhere = np.eye(1, self._sources.embedder.dimensions, dtype=np.float32)
            self._sources.nearest.nearest(scopes, anywhere.tobytes(), 1)

    def settle(self) -> None:
        """Write down what was recalled since the last time, all in one transaction."""
        if self._settling is not None:
            with suppress(Exception):  # what it could not write is written here
                self._settling()
            self._settling = None
        self._write_down()

    def _write_down(self) -> None:
        with self._lock:
            strengths, self._strengths = self._strengths, {}
            counted, self._counted = self._counted, Counter()
        if not strengths and not counted:
            return
        try:
            with self._sources.transactions.transaction():
                self._sources.memories.recalled(strengths, self._sources.clock.now())
                for (scope, name), value in sorted(counted.items()):
                    self._sources.tallies.add(scope, name, value)
        except BaseException:
            with self._lock:  # another time: the store may be away for a moment
                self._strengths = strengths | self._strengths
                self._counted += counted
            raise

    def vector_of(self, text: str) -> bytes | None:
        """A query's vector, remembered: one task asks several times."""
        embedder = self._sources.embedder
        if embedder is None or self._sources.nearest is None:
            return None
        known = self._vectors.get(text)
        if known is None:
            try:
                (known,) = embedder.embed([text])
            except EmbedderUnavailable:  # it has said so itself; words do meanwhile
                return None
            with self._lock:
                if len(self._vectors) >= _QUERIES_KEPT:
                    del self._vectors[next(iter(self._vectors))]
                self._vectors[text] = known
        return known

    def alike(
        self, asked: Sequence[Offered], limit: int = 8
    ) -> Sequence[Sequence[tuple[Memory, float | None]]]:
        """Of each what is remembered already and may say the same or the opposite, with its cosine.

        What says the same or the opposite is near in meaning; words are looked at without it.
        """
        near = self._near_each(asked, limit)
        numbers = sorted({number for found in near.values() for number in found})
        known = self._sources.memories.numbered(numbers) if numbers else {}
        return [
            [(known[number], near[at][number]) for number in near[at] if number in known]
            if at in near
            else self._alike_by_words(one, limit)
            for at, one in enumerate(asked)
        ]

    def _near_each(self, asked: Sequence[Offered], limit: int) -> dict[int, Mapping[int, float]]:
        """By place, of those that have a vector; one question for each scope and kind."""
        nearest = self._sources.nearest
        if nearest is None:
            return {}
        together: dict[tuple[str, MemoryKind], dict[int, bytes]] = {}
        for at, one in enumerate(asked):
            if one.vector is not None:
                together.setdefault((one.scope, one.kind), {})[at] = one.vector
        near: dict[int, Mapping[int, float]] = {}
        for (scope, kind), vectors in together.items():
            found = nearest.nearest_each(scope, kind.value, list(vectors.values()), limit)
            near.update(zip(vectors, found, strict=True))
        return near

    def _alike_by_words(self, one: Offered, limit: int) -> list[tuple[Memory, float | None]]:
        moment = self._sources.clock.now()
        asked = query_terms(one.text, moment.date())
        found, _ = self._found(None, asked, frozenset({one.kind.value}), moment, [one.scope])
        order = ranked(found, {}, asked, _LOOKING, moment.timestamp())
        rows = islice(self._rows(order, limit), limit)
        return [(memory, order.semantic[place]) for place, memory in rows]

    def _found(
        self,
        text: str | None,
        asked: Query,
        kinds: frozenset[str],
        moment: datetime,
        scopes: Sequence[str],
    ) -> tuple[list[Candidates], Mapping[int, Cosines]]:
        """The candidates of each scope, and the cosines of all that have a vector.

        Without a text, by words alone. Words are looked at while the text is embedded, by another
        core; the lock is not held where that takes longer.
        """
        shelves = self._sources.shelves
        with shelves.lock:
            speakers = self._speakers(asked, scopes)
        embedded = self._embedding(text, speakers)
        asking = Asking(
            query=asked, weights=self._policy.weights, kinds=kinds, at=moment.timestamp()
        )
        with shelves.lock:
            scored = self._by_words(scopes, asking)
            by_words = best_numbers(scored)
        vector = embedded()
        near = self._near(scopes, vector, kinds, by_words)
        with shelves.lock:
            if any(one.generation != one.shelf.generation for one in scored):
                scored = self._by_words(scopes, asking)
            found = candidates(scored, asking, near.cosines)
        return found, self._cosines(found, vector, near)

    def _embedding(self, text: str | None, speakers: set[str]) -> Callable[[], bytes | None]:
        """The query's vector to come; nobody waits for one that is known or not asked for."""
        import numpy as np  # noqa: F401 - whole before two threads ask for it: its parts are a ring

        if text is None or self._sources.embedder is None or self._sources.nearest is None:
            return lambda: None
        asked = query_text(text, speakers)
        known, coming = self._vectors.get(asked), self._coming
        if known is not None:
            return lambda: known
        if coming is not None and coming[0] == asked:
            self._coming = None
            return coming[1]
        try:
            self._sources.agree()
        except EmbedderUnavailable:  # it has said so itself; words do meanwhile
            return lambda: None
        return meanwhile(self.vector_of, asked)

    def _by_words(self, scopes: Sequence[str], asking: Asking) -> list[ByWords]:
        shelves = self._sources.shelves
        following = shelves.following(scopes)
        shelves.load_terms(following, asking.query.terms)
        return by_words(following, asking)

    def _speakers(self, asked: Query, scopes: Sequence[str]) -> set[str]:
        """The people of a query who say something in these scopes."""
        shelves = self._sources.shelves
        spoken: set[str] = set()
        following = shelves.following(scopes) if asked.people else []
        shelves.load_terms(following, asked.people)
        for shelf in following:
            spoken |= {term for term, count in shelf.having(asked.people).items() if count}
        return spoken

    def _near(
        self,
        scopes: Sequence[str],
        vector: bytes | None,
        kinds: frozenset[str],
        also: Sequence[int],
    ) -> Near:
        if vector is None or self._sources.nearest is None:
            return Near({}, {}, None, {})
        chosen = None if len(kinds) == len(KINDS) else sorted(kinds)
        return self._sources.nearest.nearest(scopes, vector, BY_MEANING, chosen, also)

    def _cosines(
        self, found: Sequence[Candidates], vector: bytes | None, near: Near
    ) -> Mapping[int, Cosines]:
        if vector is None or self._sources.nearest is None:
            return {}
        nearest, weights = self._sources.nearest, self._policy.weights
        scopes = [one.scope for one in found]
        centre = None
        if weights.centring and near.mean is not None and len(near.cosines) >= FEWEST:
            centre = centre_of(near.mean, weights.centring * (1.0 - _defining(found, near)))
        known = _near_pairs(near, vector, centre)
        others = [n for one in found for n in one.numbers.tolist() if n not in known]
        known.update(nearest.cosines(scopes, vector, others, centre))
        beside = sorted(promising_neighbours(found, known, weights) - known.keys())
        known.update(nearest.cosines(scopes, vector, beside, centre))
        return known

    def _shown(
        self, query: str, order: Ranked, k: int, budget: int | None
    ) -> tuple[dict[int, Hit], Choosing]:
        """The hits by number, best first; before all the text that was asked for letter by letter,
        which another of the same words in another order could hide."""
        choosing = Choosing(budget)
        asked = words_by_token(query)
        hits: dict[int, Hit] = {}
        rows = self._rows(order, k)
        ahead = sorted(islice(rows, k + _ROWS_AHEAD), key=lambda row: not _is_that(row[1], query))
        for place, memory in chain(ahead, rows):
            if len(hits) == k:
                break
            said = tokens(memory.text)
            if choosing.take(memory.text, said, defines=memory.kind is MemoryKind.DECLARATIVE):
                words = shown_words(said, asked)
                hits[order.numbers[place]] = _hit(memory, order, place, words)
        return hits, choosing

    def _rows(self, order: Ranked, k: int) -> Iterator[tuple[int, Memory]]:
        """(place in the order, memory), read as many at a time as will probably be shown."""
        step = k + _ROWS_AHEAD
        for start in range(0, len(order), step):
            places = range(start, min(start + step, len(order)))
            memories = self._sources.memories.numbered(order.numbers[at] for at in places)
            for at in places:
                memory = memories.get(order.numbers[at])
                if memory is not None:  # forgotten a moment ago
                    yield at, memory

    def _note(self, scopes: Sequence[str], hits: Mapping[int, Hit]) -> None:
        with self._lock:
            for scope in scopes:
                self._counted[scope, "searches"] += 1
            for number, hit in hits.items():
                self._counted[hit.memory.scope, "hits"] += 1
                self._strengths[number] = strengthened(hit.memory.strength)
            full = len(self._strengths) >= _UNSETTLED
        if full:  # where that fails nothing is lost, and the next one tries again
            self._settling = meanwhile(self._write_down)


def _is_that(memory: Memory, query: str) -> bool:
    """Whether the query is this memory's text; of what was replaced it only asks."""
    same = memory.text.strip().casefold() == query.strip().casefold()
    return same and memory.superseded_by is None


def _defining(found: Sequence[Candidates], near: Near) -> float:
    """The part of what is near that defines something. Tools for one thing are alike in what they
    do, and that is what is asked for: there is no name to look past."""
    import numpy as np

    defined = KINDS.index(MemoryKind.DECLARATIVE.value)
    numbers = np.concatenate([one.numbers[one.kinds == defined] for one in found])
    return sum(number in near.cosines for number in numbers.tolist()) / len(near.cosines)


def _near_pairs(near: Near, vector: bytes, centre: bytes | None) -> dict[int, Cosines]:
    """What is known already of the nearest and of what has the words, and as seen from the
    centre."""
    numbers = [*near.cosines, *near.others]
    plain = [*near.cosines.values(), *near.others.values()]
    seen = plain
    if centre is not None and near.mean is not None:
        along = [near.along[number] for number in numbers]
        seen = seen_from(plain, along, vector, near.mean, centre)
    return dict(zip(numbers, zip(plain, seen, strict=True), strict=True))


def _hit(memory: Memory, order: Ranked, place: int, words: tuple[str, ...]) -> Hit:
    semantic = order.semantic[place]
    why = Why(
        lexical=order.lexical[place],
        semantic=semantic,
        age_days=order.ages[place] / SECONDS_A_DAY,
        decay=order.decay[place],
        superseded=memory.superseded_by is not None,
        reinforced=order.reinforced[place],
        context=order.context[place],
        words=words,
    )
    return Hit(memory=memory, score=order.scores[place], why=why)
