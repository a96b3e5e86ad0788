"""Where past work is looked up: runs cut into passages, by their words and by their meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:  # a command that only lists must not pay for every word there is
    from hermes.records.trajectory import Step, Trajectory

PAGE = 100


class IndexedRun(NamedTuple):
    """A run in the index. `number` names this reading of it; `places` and `words` are packed."""

    number: int
    trajectory_id: str
    agent: str
    started_at: str
    places: bytes
    words: bytes


class Reading(NamedTuple):
    """A run as it was `seen`, and its passages."""

    seen: Trajectory
    places: bytes
    words: bytes


class Passages(Protocol):
    """The index of past work. Every write has a generation, by which other processes follow."""

    def due(self, form: int, limit: int = PAGE) -> Sequence[str]:
        """Ended runs that are not in the index in this form, the newest first."""
        ...

    def count_due(self, form: int) -> int: ...
    def put(self, readings: Sequence[Reading], form: int) -> int:
        """Index runs in the place of earlier readings, all or none; how many.

        What is no longer as it was seen (forgotten, recorded anew) is left out.
        """
        ...

    def renew(self, number: int) -> bool:
        """Its row is damaged: the run is due again. False where it is gone."""
        ...

    def of_run(self, trajectory_id: str) -> IndexedRun | None: ...
    def generation(self) -> int:
        """A number that is higher after every write."""
        ...

    def since(self, scope: str, generation: int) -> Iterator[IndexedRun]:
        """By rising number: what came into the index of a scope after a generation."""
        ...

    def gone(self, scope: str, generation: int) -> Sequence[int]:
        """The numbers of what was forgotten or indexed again after a generation."""
        ...

    def put_vectors(self, run: IndexedRun, embedder: str, vectors: bytes) -> bool:
        """What a run means to an embedder; False where that reading of it is gone, or where the
        store was handed to another embedder and has its vectors."""
        ...

    def vectors_since(
        self, scope: str, embedder: str, generation: int
    ) -> Iterator[tuple[int, bytes]]:
        """(number, packed vectors) of what was written after a generation."""
        ...

    def unembedded(self, embedder: str, limit: int = PAGE) -> Sequence[str]: ...
    def asked(self, trajectory_id: str) -> tuple[str | None, str] | None:
        """The session of a run, and its request; None where the run is gone."""
        ...

    def step(self, trajectory_id: str, step_id: int) -> Step | None: ...


class Followed(Protocol):
    """How far something that follows the library has come, kept for the next process."""

    def generation(self, name: str) -> int:
        """-1 where it has not begun."""
        ...

    def reached(self, name: str, generation: int) -> None: ...
