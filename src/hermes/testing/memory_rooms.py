"""Memory rooms on a test's own database, with meanings that the test writes down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from hermes import settings
from hermes.app.home import Home
from hermes.app.memory import MemoryRoom, open_memory
from hermes.ports import Embedder
from hermes.records.memory import Memory, MemoryKind, Trust
from hermes.records.recall import Recalled, Remembered
from hermes.rules.recalling.weights import RecallPolicy
from hermes.store.database import Database
from hermes.testing.topic_embedder import TopicEmbedder

TOPICS: Mapping[str, Sequence[str]] = {
    "database": ("database", "postgres", "storage", "tables", "sql"),
    "release": ("release", "deploy", "publish", "ship", "rollout"),
    "food": ("coffee", "tea", "drink", "lunch", "restaurant"),
    "style": ("tabs", "spaces", "indentation", "formatting"),
    "network": ("port", "host", "proxy", "tunnel", "vpn"),
}


class TestRoom:
    """A room with the words of a test: short ways to add and to search."""

    __test__ = False  # not a test itself, whatever its name says

    def __init__(
        self,
        database: Database,
        folder: Path,
        *,
        embedder: Embedder | None = None,
        semantic: bool = True,
        policy: RecallPolicy | None = None,
    ) -> None:
        home = Home(settings.load({}, home=str(folder)), database)
        self.embedder = embedder or TopicEmbedder(TOPICS)
        self.room: MemoryRoom = open_memory(
            home, semantic=semantic, policy=policy, embedder=self.embedder
        )

    def add(
        self,
        text: str,
        kind: MemoryKind | None = MemoryKind.SEMANTIC,
        *,
        scope: str = "personal",
        trust: Trust = Trust.USER,
        session_id: str | None = None,
        at: datetime | None = None,
        expires_at: datetime | None = None,
    ) -> Remembered:
        return self.room.remember.add(
            text,
            kind,
            scope=scope,
            source="test",
            trust=trust,
            session_id=session_id,
            at=at,
            expires_at=expires_at,
        )

    def keep(self, text: str, kind: MemoryKind = MemoryKind.SEMANTIC, **more: object) -> Memory:
        """Add a text that must become a memory of its own."""
        remembered = self.add(text, kind, **more)  # type: ignore[arg-type]
        assert remembered.memory is not None, remembered
        return remembered.memory

    def search(self, query: str, scope: str = "personal", k: int = 8) -> Recalled:
        return self.room.recall.search(query, scopes=[scope], k=k)

    def found(self, query: str, scope: str = "personal", k: int = 8) -> list[str]:
        """The texts of the hits, best first."""
        return [hit.memory.text for hit in self.search(query, scope, k).items]
