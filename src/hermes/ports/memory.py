"""What is remembered, and where its words and its meaning are looked up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:  # a command that only lists must not pay for every word there is
    from datetime import datetime

    from hermes.records.embedder_move import EmbedderMove
    from hermes.records.episode import Episode
    from hermes.records.memory import Memory, MemoryKind
    from hermes.records.memory_choice import MemoryChoice

PAGE = 100


class Entry(NamedTuple):
    """What recall keeps of a memory in a warm process: all but its text.

    `number` is the memory's short name, in the order of arrival. `terms` are given only with what
    changed since an earlier look.
    """

    number: int
    kind: str
    session_id: str | None
    created_at: str
    last_recalled_at: str | None
    expires_at: str | None
    strength: float
    length: int
    superseded: bool
    waiting: bool
    terms: Mapping[str, int] | None


class Indexed(NamedTuple):
    """A new memory with all that it is found by; `vector` is None where no embedder was there."""

    memory: Memory
    terms: Mapping[str, int]
    fingerprint: str
    vector: bytes | None


class Memories(Protocol):
    def add(self, memory: Memory) -> None: ...
    def add_indexed(self, kept: Sequence[Indexed], embedder: str | None = None) -> None:
        """All or none, in as few statements as one takes, and counted in the tallies of their
        scopes. `embedder` is whose the vectors are."""
        ...

    def replace(self, memory: Memory) -> None:
        """All but text, kind and scope, which never change."""
        ...

    def get(self, memory_id: str) -> Memory | None: ...
    def delete(self, memory_id: str) -> bool:
        """Text, terms, postings and vector; other processes drop it at their next look."""
        ...

    def page(
        self, scope: str, kind: MemoryKind | None = None, after: str = "", limit: int = PAGE
    ) -> Sequence[Memory]: ...
    def numbered(self, numbers: Iterable[int]) -> Mapping[int, Memory]:
        """The memories of these numbers, as far as they are there."""
        ...

    def twin(self, scope: str, kind: MemoryKind, fingerprint: str) -> Memory | None:
        """The one that says the same, and is not superseded."""
        ...

    def twins(
        self, marks: Iterable[tuple[str, MemoryKind, str]]
    ) -> Mapping[tuple[str, MemoryKind, str], Memory]:
        """The twins of many at once, by scope, kind and fingerprint, as far as there are any."""
        ...

    def hold(self) -> None:
        """Inside a transaction: no other writer until it ends, so that what was looked for and
        not found is still not there when it is added."""
        ...

    def recalled(self, strengths: Mapping[int, float], at: datetime) -> None:
        """These were of use: their numbers and how strong they are now."""
        ...


class MemoryWords(Protocol):
    """Terms and postings: which memories have a word, and how often."""

    def put(self, memory_id: str, terms: Mapping[str, int], fingerprint: str) -> bool:
        """Index a memory by its terms, in place of what it was indexed by before.

        False where it was forgotten in the meantime.
        """
        ...

    def generation(self) -> int:
        """A number that is higher after every write."""
        ...

    def entries(self, scope: str, since: int | None = None) -> Iterator[Entry]:
        """By rising number: all indexed memories, or those written after a generation."""
        ...

    def gone(self, scope: str, since: int) -> Sequence[int]:
        """The numbers of what was forgotten after a generation."""
        ...

    def postings(
        self, scope: str, terms: Sequence[str]
    ) -> Mapping[str, tuple[Sequence[int], Sequence[int]]]:
        """For each term the numbers of the memories that have it, and how often each does."""
        ...

    def postings_in(
        self, wanted: Mapping[str, Sequence[str]]
    ) -> Mapping[tuple[str, str], tuple[Sequence[int], Sequence[int]]]:
        """The same of terms of several scopes at once, by scope and term."""
        ...

    def commonest(self, scope: str, limit: int) -> Sequence[tuple[str, int]]:
        """The terms that most memories of a scope have, with how many have each."""
        ...

    def unindexed(self, limit: int = PAGE) -> Sequence[Memory]: ...


class MemoryVectors(Protocol):
    """One vector a memory; each says whose it is, for another embedder's means nothing."""

    def put(self, memory_id: str, embedder: str, vector: bytes) -> bool:
        """In place of another embedder's; False where it was forgotten in the meantime, or where
        the store was handed to another embedder and has its vector."""
        ...

    def since(
        self, scope: str, embedder: str, generation: int
    ) -> Iterator[tuple[int, str, bytes, int]]:
        """(number, kind, float32 vector, generation) of what was written after a generation."""
        ...

    def count(self, scope: str, embedder: str) -> int: ...
    def scopes(self, embedder: str) -> Mapping[str, int]:
        """Every scope that has vectors of this embedder, and how many."""
        ...

    def unembedded(self, embedder: str, limit: int = PAGE) -> Sequence[Memory]: ...


class EmbedderMoves(Protocol):
    """Which embedder the store's vectors are handed to, by whom and when."""

    def hold(self) -> None:
        """Inside a transaction: nobody else hands it on until it ends."""
        ...

    def latest(self, limit: int) -> Sequence[EmbedderMove]:
        """The latest first."""
        ...

    def unmoved(self) -> str | None:
        """Whose vectors there are where there never was a move; None where there are none."""
        ...

    def add(self, move: EmbedderMove) -> None: ...


class Near(NamedTuple):
    """What is near a query: cosines by number, nearest first, and the mean of those vectors, which
    there is where there are any. `along` is how far each goes along the mean, its product with it:
    who has that can look from there without the vectors. `others` are those that were asked for by
    number and are not among the nearest."""

    cosines: Mapping[int, float]
    along: Mapping[int, float]
    mean: bytes | None
    others: Mapping[int, float]


class Nearest(Protocol):
    """Which memories mean nearly the same as a query. Cosines, 1 for the same direction."""

    def nearest(
        self,
        scopes: Sequence[str],
        query: bytes,
        limit: int,
        kinds: Sequence[str] | None = None,
        also: Sequence[int] = (),
    ) -> Near:
        """About the `limit` nearest of these scopes together; fewer only where there are fewer.
        And of `also` how near they are, of whatever kind."""
        ...

    def nearest_each(
        self, scope: str, kind: str, queries: Sequence[bytes], limit: int
    ) -> Sequence[Mapping[int, float]]:
        """Of each query the nearest of one scope and kind, with their cosines, nearest first."""
        ...

    def cosines(
        self,
        scopes: Sequence[str],
        query: bytes,
        numbers: Sequence[int],
        centre: bytes | None = None,
    ) -> Mapping[int, tuple[float, float]]:
        """How near these are, as far as they have a vector, and how near as seen from `centre`."""
        ...


class MemoryTallies(Protocol):
    """What happened how often, and how many memories there are."""

    def add(self, scope: str, name: str, value: int = 1) -> None: ...
    def of(self, scope: str) -> Mapping[str, int]: ...
    def counts(self, scope: str) -> Sequence[tuple[str, bool, bool, str, int]]:
        """(kind, superseded, waiting, day, how many)."""
        ...


class MemoryListing(Protocol):
    """Memories as people look through them."""

    def latest(self, choice: MemoryChoice, before: str = "", limit: int = PAGE) -> Sequence[Memory]:
        """Newest first; `before` the last id seen is the next page."""
        ...

    def count(self, choice: MemoryChoice) -> int: ...
    def walk(self) -> Iterator[Memory]:
        """Every memory of every scope, oldest first, a page at a time."""
        ...

    def starting_with(self, prefix: str, limit: int = PAGE) -> Sequence[str]:
        """Ids that begin so, of whichever scope."""
        ...

    def scopes(self) -> Sequence[str]: ...
    def ever_said(self, scope: str, kind: MemoryKind, fingerprint: str) -> bool:
        """Whether something said it, even if it was replaced since."""
        ...

    def embedder_of(self, memory_id: str) -> str | None:
        """Whose vector it has."""
        ...

    def replaced_by(self, memory: Memory, limit: int = PAGE) -> Sequence[str]:
        """The ids of what this one took the place of."""
        ...

    def documents(self, scope: str, terms: Sequence[str]) -> Mapping[str, int]:
        """How many memories have each term, as far as any has it."""
        ...


class Episodes(Protocol):
    """What is remembered of runs: one episodic memory for each."""

    def keep(self, episodes: Sequence[Episode]) -> int:
        """Each in the place of what was remembered of its run before; how many are new or other."""
        ...

    def drop(self, trajectory_id: str, began: datetime) -> bool:
        """When a run has nothing to tell any more; whether there was an episode of it."""
        ...
