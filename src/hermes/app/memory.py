"""The memory room of an open home, its parts joined for the database that the home has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from hermes.app.home import Home
    from hermes.memory.consolidate import Consolidate
    from hermes.memory.figures import Figures
    from hermes.memory.forget import Forget
    from hermes.memory.note import Note
    from hermes.memory.recall import Recall
    from hermes.memory.remember import Keeping, Remember
    from hermes.memory.upkeep import Upkeep, VectorIndexes
    from hermes.ports import Embedder, Memories, MemoryVectors, MemoryWords, Nearest
    from hermes.records.memory import Memory
    from hermes.rules.recalling.weights import RecallPolicy
    from hermes.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRoom:
    """`consolidate` is None where there is no embedder to compare episodes with, and so is
    `embedder`, the label that its vectors are kept under."""

    memories: Memories
    remember: Remember
    recall: Recall
    forget: Forget
    figures: Figures
    upkeep: Upkeep
    consolidate: Consolidate | None
    embedder: str | None
    close: Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Vectors:
    """Where the nearest vectors are found, and what has to be done for it."""

    nearest: Nearest | None
    indexes: VectorIndexes
    scrub: Callable[[str], None]
    close: Callable[[], None]


def recall_policy(settings: Settings) -> RecallPolicy:
    """What config.yaml says about recalling."""
    from hermes.rules.recalling.weights import RecallPolicy

    days = settings.memory.half_life_days
    return RecallPolicy(
        half_life_days={
            "episodic": float(days.episodic),
            "semantic": float(days.semantic),
            "declarative": float(days.declarative),
        },
        min_similarity=settings.memory.min_similarity,
    )


def open_memory(
    home: Home,
    *,
    semantic: bool = True,
    policy: RecallPolicy | None = None,
    embedder: Embedder | None = None,
) -> MemoryRoom:
    """Everything of the room. `semantic=False`, or no embedder installed: by words alone.

    The home's embedder unless another is given. Close the room when done: what was recalled
    is written down then.
    """
    from hermes.memory.agreed_embedder import AgreedEmbedder
    from hermes.memory.consolidate import Consolidate
    from hermes.memory.embedding import label_of
    from hermes.memory.figures import Figures
    from hermes.memory.forget import Forget
    from hermes.memory.recall import Recall, Sources
    from hermes.memory.remember import Remember
    from hermes.memory.shelves import Shelves
    from hermes.memory.upkeep import Upkeep

    model = (embedder or home.embedder) if semantic else None
    keeping = memory_keeping(home, model)
    memories, vectors, words = keeping.memories, keeping.vectors, keeping.words
    found = _vectors(home, model, vectors, words)
    sources = Sources(
        memories=memories,
        shelves=Shelves(words),
        tallies=keeping.tallies,
        transactions=home.database,
        clock=keeping.clock,
        embedder=model,
        nearest=found.nearest,
        agree=model.agree if isinstance(model, AgreedEmbedder) else _agreed,
    )
    recall = Recall(sources, policy or recall_policy(home.settings))
    remember = Remember(keeping, recall)

    def close() -> None:
        recall.settle()
        found.close()

    label = label_of(model) if model is not None else None
    return MemoryRoom(
        memories=memories,
        remember=remember,
        recall=recall,
        forget=Forget(memories, keeping.tallies, keeping.events, home.database, found.scrub),
        figures=Figures(keeping.tallies, vectors, keeping.clock, label),
        upkeep=Upkeep(words, vectors, home.database, model, found.indexes),
        consolidate=Consolidate(keeping, remember, label) if label else None,
        embedder=label,
        close=close,
    )


def _agreed() -> None:
    """An embedder that was given for this room: nobody else's vectors are here."""


def note_of(memory: Memory) -> Note:
    """What somebody would have noted for it to become this memory."""
    from hermes.memory.note import Note

    return Note(
        text=memory.text,
        kind=memory.kind,
        scope=memory.scope,
        source=memory.source,
        trust=memory.trust,
        session_id=memory.session_id,
        expires_at=memory.expires_at,
        at=memory.created_at,
    )


def memory_keeping(home: Home, model: Embedder | None = None) -> Keeping:
    """Where memories are written: the tables of the home's database."""
    from hermes.app.home import system_clock
    from hermes.memory.remember import Keeping
    from hermes.store.tables.event import EventTable
    from hermes.store.tables.memory import MemoryTable
    from hermes.store.tables.memory_tallies import MemoryTallyTable
    from hermes.store.tables.memory_vectors import MemoryVectorTable
    from hermes.store.tables.memory_words import MemoryWordTable

    return Keeping(
        memories=MemoryTable(home.database),
        words=MemoryWordTable(home.database),
        vectors=MemoryVectorTable(home.database),
        tallies=MemoryTallyTable(home.database),
        events=EventTable(home.database),
        transactions=home.database,
        clock=system_clock(),
        embedder=model,
    )


def _vectors(
    home: Home, model: Embedder | None, vectors: MemoryVectors, words: MemoryWords
) -> _Vectors:
    """PostgreSQL finds the nearest itself; for SQLite this process does."""
    from hermes.memory.embedding import label_of
    from hermes.memory.upkeep import VectorIndexes
    from hermes.store.scrubbing import scrub

    def nothing() -> None:
        pass

    def clean(_scope: str) -> None:
        scrub(home.database)

    idle = VectorIndexes(prepare=nothing, build=lambda _scope: False, retire_others=nothing)
    if model is None:
        return _Vectors(nearest=None, indexes=idle, scrub=clean, close=nothing)
    if home.database.dialect.name == "postgres":
        from hermes.store.tables.memory_nearest import NearestTable

        table = NearestTable(home.database, label_of(model), model.dimensions)
        table.prepare()
        indexes = VectorIndexes(
            prepare=table.prepare, build=idle.build, retire_others=table.retire_others
        )
        return _Vectors(nearest=table, indexes=indexes, scrub=clean, close=nothing)
    from hermes.memory.index_files import retire_other_files
    from hermes.memory.local_vectors import LocalVectors

    label = (label_of(model), model.dimensions)
    folder = home.settings.paths.data_dir / "memory"
    local = LocalVectors(vectors, words, label, folder)

    def clean_both(scope: str) -> None:
        local.scrub(scope)
        scrub(home.database)

    indexes = VectorIndexes(
        prepare=nothing,
        build=local.build,
        retire_others=lambda: retire_other_files(folder, label_of(model)),
    )
    return _Vectors(nearest=local, indexes=indexes, scrub=clean_both, close=local.close)
