"""Terms and postings of memories: document frequencies, and which memory has which term."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hermes.ids import canonical_json
from hermes.ports.memory import Entry
from hermes.records.memory import Memory
from hermes.store.database import Database
from hermes.store.rows import rows_of
from hermes.store.tables.table import PAGE

_SIXTY_THREE_BITS = (1 << 63) - 1


class MemoryWordTable:
    """Every statement names its scope or a number that was read from it."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def put(self, memory_id: str, terms: Mapping[str, int], fingerprint: str) -> bool:
        with self._db.transaction():
            ((generation,),) = self._db.all("next_generation")
            place = self._db.one("memory_place", id=memory_id)
            if place is None:
                return False
            number, scope, _, before = place
            self.remove(scope, number, before)
            self._db.run(
                "set_memory_terms",
                id=memory_id,
                terms=canonical_json(dict(terms)),
                length=sum(terms.values()),
                fingerprint=fingerprint,
                generation=generation,
            )
            self.add([(scope, number, terms)])
        return True

    def add(self, indexed: Iterable[tuple[str, int, Mapping[str, int]]]) -> None:
        """Postings and document frequencies of memories that have none: scope, number, terms."""
        documents: Counter[tuple[int, str, str]] = Counter()
        postings: list[tuple[int, int, int]] = []
        for scope, number, terms in indexed:
            for term, count in terms.items():
                key = term_id(scope, term)
                documents[key, scope, term] += 1
                postings.append((key, number, count))
        # In one order everywhere: two writers never hold what the other one waits for.
        listed = sorted((*term, count) for term, count in documents.items())
        self._db.run("add_terms", terms=canonical_json(listed))
        self._db.run("add_postings", postings=canonical_json(sorted(postings)))

    def remove(self, scope: str, number: int, terms: str | None) -> None:
        """Take a memory out of the index; `terms` as they lie in its row."""
        if not terms or terms == "{}":
            return
        ids = canonical_json(sorted(term_id(scope, term) for term in json.loads(terms)))
        self._db.run("delete_postings", number=number, ids=ids)
        self._db.run("take_terms", ids=ids)
        self._db.run("drop_empty_terms", ids=ids)

    def generation(self) -> int:
        ((value,),) = self._db.all("current_generation")
        return int(value)

    def entries(self, scope: str, since: int | None = None) -> Iterator[Entry]:
        if since is None:
            rows = self._db.all("memory_entries", scope=scope)
        else:
            rows = self._db.all("memory_entries_since", scope=scope, generation=since)
        for row in rows:
            terms = None if row[10] is None else json.loads(row[10])
            yield Entry._make((*row[:8], row[8] == 1, row[9] == 1, terms))

    def gone(self, scope: str, since: int) -> Sequence[int]:
        rows = self._db.all("numbers_gone", scope=scope, generation=since)
        return [number for (number,) in rows]

    def postings(
        self, scope: str, terms: Sequence[str]
    ) -> Mapping[str, tuple[Sequence[int], Sequence[int]]]:
        return {term: found for (_, term), found in self.postings_in({scope: terms}).items()}

    def postings_in(
        self, wanted: Mapping[str, Sequence[str]]
    ) -> Mapping[tuple[str, str], tuple[Sequence[int], Sequence[int]]]:
        by_id = {
            term_id(scope, term): (scope, term) for scope, terms in wanted.items() for term in terms
        }
        rows = self._db.all("postings_of", ids=canonical_json(sorted(by_id)))
        return {by_id[key]: _postings(numbers, repeated) for key, numbers, repeated in rows}

    def commonest(self, scope: str, limit: int) -> Sequence[tuple[str, int]]:
        rows = self._db.all("commonest_terms", scope=scope, limit=limit)
        return [(term, documents) for term, documents in rows]

    def unindexed(self, limit: int = PAGE) -> Sequence[Memory]:
        rows = rows_of(Memory)
        where = f"{self._db.where}, table memories"
        return [rows.record(row, where) for row in self._db.all("page_unindexed", limit=limit)]


def _postings(numbers: str, repeated: str | None) -> tuple[array[int], array[int]]:
    """Numbers and occurrences, flat, so that whoever calculates with them need not copy them.

    `repeated` has the number and the occurrences of those that have the term more than once: few.
    """
    import numpy as np

    having = np.sort(np.fromstring(numbers, dtype=np.int64, sep=","))
    occurrences = np.ones_like(having)
    if repeated:
        number, count = np.fromstring(repeated, dtype=np.int64, sep=",").reshape(-1, 2).T
        occurrences[np.searchsorted(having, number)] = count
    return array("q", having.tobytes()), array("q", occurrences.tobytes())


def term_id(scope: str, term: str) -> int:
    """A hash of both: a scope's postings can be found only by who knows the scope."""
    digest = hashlib.blake2b(f"{scope}\0{term}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") & _SIXTY_THREE_BITS
