"""A labelled set in a real store, to be searched by one policy after another."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from hermes import settings
from hermes.app import Home, open_home
from hermes.app.database import copy_store
from hermes.app.memory import MemoryRoom, open_memory
from hermes.bench.recall_set.labelled import Question
from hermes.ports.memory import Indexed
from hermes.rules.recalling.terms import item_terms, item_text
from hermes.rules.remembering.cleaning import fingerprint

if TYPE_CHECKING:
    from hermes.ports import Embedder
    from hermes.records.memory import Memory
    from hermes.rules.recalling.weights import RecallPolicy

_AT_ONCE = 500
DEEPEST = 10
"""How many hits are looked at."""


class KnownTexts:
    """An embedder that embeds a text once, however many policies are tried on it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, bytes] = {}

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Sequence[bytes]:
        unknown = [text for text in dict.fromkeys(texts) if text not in self._known]
        for text, vector in zip(unknown, self._embedder.embed(unknown), strict=True):
            self._known[text] = vector
        return [self._known[text] for text in texts]


@dataclass(frozen=True, slots=True)
class Answer:
    """`places` are where the right memories came, from 0, among the first ten hits.

    `leaked` counts hits of a scope that was not asked.
    """

    question: Question
    places: tuple[int, ...]
    hits: int
    leaked: int


@dataclass(frozen=True, slots=True)
class RememberedSet:
    """The store, what turns its texts into vectors, and what a command needs to find it."""

    home: Home
    embedder: Embedder
    environ: Mapping[str, str] = field(default_factory=dict)

    @contextmanager
    def room(self, policy: RecallPolicy | None = None) -> Iterator[MemoryRoom]:
        room = open_memory(self.home, policy=policy, embedder=self.embedder)
        try:
            yield room
        finally:
            room.close()

    def remember(self, memories: Iterable[Memory]) -> None:
        """As they are, ids and all: what writing makes of them is measured apart."""
        with self.room() as room:
            ordered = iter(memories)
            while batch := list(islice(ordered, _AT_ONCE)):
                vectors = self.embedder.embed([item_text(memory) for memory in batch])
                room.memories.add_indexed(list(map(_indexed, batch, vectors)), room.embedder)
            room.upkeep.run()  # the index over the vectors

    def answers(self, questions: Iterable[Question], policy: RecallPolicy) -> list[Answer]:
        with self.room(policy) as room:
            return [_answer(room, question) for question in questions]


@contextmanager
def remembered(
    memories: Iterable[Memory], embedder: Embedder, database: str | None = None
) -> Iterator[RememberedSet]:
    """A temporary home that remembers these, in SQLite or in the database of this address."""
    with tempfile.TemporaryDirectory(prefix="hermes-bench-") as folder:
        environ = {"HERMES_HOME": str(Path(folder) / "home")}
        if database is not None:
            environ["MEMORY_DB_URL"] = database
        with open_home(settings.load(environ)) as home:
            filled = RememberedSet(home, embedder, environ)
            filled.remember(sorted(memories, key=lambda memory: memory.created_at))
            yield filled


@contextmanager
def copied(store: RememberedSet, database: str) -> Iterator[RememberedSet]:
    """The same memories in the empty database of this address."""
    copy_store(store.home.settings, database, lambda _table, _done, _total: None)
    with tempfile.TemporaryDirectory(prefix="hermes-bench-") as folder:
        environ = {"HERMES_HOME": str(Path(folder) / "home"), "MEMORY_DB_URL": database}
        with open_home(settings.load(environ)) as home:
            yield RememberedSet(home, store.embedder, environ)


def _indexed(memory: Memory, vector: bytes) -> Indexed:
    return Indexed(memory, item_terms(memory), fingerprint(memory.text), vector)


def _answer(room: MemoryRoom, question: Question) -> Answer:
    recalled = room.recall.search(
        question.text, scopes=question.scopes, k=DEEPEST, now=question.asked_at
    )
    found = [hit.memory for hit in recalled.items]
    return Answer(
        question,
        tuple(place for place, memory in enumerate(found) if memory.id in question.expects),
        len(found),
        sum(memory.scope not in question.scopes for memory in found),
    )
