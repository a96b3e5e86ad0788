"""AgreedEmbedder: this process's embedder, as long as the store's vectors are to be its own.

A process that starts with another embedder than the store's takes the store over, and says so in
the audit trail; upkeep then embeds everything anew. A process that finds the store taken from its
own does not take it back: to whoever asks it to embed it is away, so that they go by words, and it
says once what happened and what to do.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hermes.errors import DiskFailed, EmbedderUnavailable, StoreUnavailable
from hermes.memory.embedding import label_of
from hermes.ports import Clock, Embedder, EmbedderMoves, Transactions
from hermes.records.embedder_move import EmbedderMove
from hermes.rules.embedder_moves import left_behind

_LOOKED_BACK = 32  # moves; who is further back was away for longer than a day, or nobody settles
_PROBE = "a text like any other"
_GOOD_FOR = 1.0
"""Seconds until the trail is read again. What is embedded meanwhile for a store that was just
taken away is not written over what is there, and embedded anew where it is new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThisProcess:
    """As others will read of it. `is_running` asks about the one that made a move."""

    user: str
    host: str
    pid: int
    clock: Clock
    is_running: Callable[[EmbedderMove], bool]


class AgreedEmbedder:
    """Implements ports.Embedder. One for a process, shared by its threads."""

    def __init__(
        self,
        embedder: Embedder,
        moves: EmbedderMoves,
        transactions: Transactions,
        process: ThisProcess,
        tell: Callable[[str], None],
        good_for: float = _GOOD_FOR,
    ) -> None:
        self._embedder = embedder
        self._moves = moves
        self._transactions = transactions
        self._process = process
        self._tell = tell
        self._good_for = good_for
        self._opened = process.clock.now()
        self._lock = threading.RLock()
        self._refusal: EmbedderUnavailable | None = None
        self._asked_again_at = 0.0

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Sequence[bytes]:
        """Raises EmbedderUnavailable where the store is another embedder's."""
        self.agree()
        return self._embedder.embed(texts)

    def agree(self) -> None:
        """Read whose the store is, unless that was done a moment ago. Raises where it is not ours.

        Whoever is about to embed on another thread asks here first: a thread that reads the store
        would open a connection of its own.
        """
        with self._lock:
            now = time.monotonic()
            if now >= self._asked_again_at:
                self._refusal = self._looked_again(self._refusal)
                self._asked_again_at = now + self._good_for
            refusal = self._refusal
        if refusal is not None:
            raise EmbedderUnavailable(refusal.message, hint=refusal.hint)

    def take_over(self) -> EmbedderMove | None:
        """The store is this embedder's from now on; None where it was before.

        Not before it has answered once: nobody is left without vectors for a mistyped address.
        """
        self._embedder.embed([_PROBE])
        with self._transactions.transaction():
            self._moves.hold()
            whose, _ = self._store()
            if whose is None or whose == label_of(self):
                return None
            move = self._move_from(whose)
            self._moves.add(move)
        with self._lock:
            self._asked_again_at = 0.0
        return move

    def _looked_again(self, before: EmbedderUnavailable | None) -> EmbedderUnavailable | None:
        """Why we may not embed; the store is taken over first where that is ours to do."""
        whose, moves = self._store()
        if whose is None or whose == label_of(self):
            return None
        refusal = self._left_behind(moves) or self._taken(whose)
        if refusal is not None and (before is None or before.message != refusal.message):
            self._tell(f"searching by words alone: {refusal}")
        return refusal

    def _taken(self, whose: str) -> EmbedderUnavailable | None:
        try:
            self.take_over()
        except (StoreUnavailable, DiskFailed) as error:  # read-only, say; words do meanwhile
            said = f"memories are embedded with {whose}, and that cannot be changed"
            return EmbedderUnavailable(f"{said}: {error.message}", hint=error.hint)
        return None

    def _store(self) -> tuple[str | None, Sequence[EmbedderMove]]:
        """Whose vectors the store has or is about to have, and what led there."""
        moves = self._moves.latest(_LOOKED_BACK)
        return (moves[0].after if moves else self._moves.unmoved()), moves

    def _left_behind(self, moves: Sequence[EmbedderMove]) -> EmbedderUnavailable | None:
        process = self._process
        now = process.clock.now()
        if not left_behind(label_of(self), moves, self._opened, now, process.is_running):
            return None
        last = moves[0]
        return EmbedderUnavailable(
            f"memories are now embedded with {last.name} (moved by {last.by}, process {last.pid} on"
            f" {last.host}, at {last.at:%Y-%m-%d %H:%M:%S %Z}); this process uses {self.name}",
            hint="restart it with that embedder, or `hermes memory reembed` moves them to its own",
        )

    def _move_from(self, whose: str) -> EmbedderMove:
        process = self._process
        return EmbedderMove(
            before=whose,
            after=label_of(self),
            name=self.name,
            by=process.user,
            host=process.host,
            pid=process.pid,
            at=process.clock.now(),
        )
