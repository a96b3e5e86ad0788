"""What a front door does with memories: the command line, the agent's tools, REST and MCP alike.

quick_remember(home)                    to add one thing in a process that has just started
memory_room(home)                       to search, consolidate and keep up; closed at the end
search(room, query, scopes=…)           gives upkeep a moment first: what was just added counts
find_memory, look, page_of, forget, approve, report, consolidations, accept
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.errors import Ambiguous, EmbedderUnavailable, MissingPart, NotFound
from hermes.ids import content_hash

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.app.memory import MemoryRoom
    from hermes.memory.remember import Remember
    from hermes.ports import MemoryListing
    from hermes.records.approval import Approval
    from hermes.records.memory import Memory, MemoryKind, Trust
    from hermes.records.memory_choice import MemoryChoice
    from hermes.records.recall import Consolidation, MemoryFigures, Recalled

_MOMENT = 1.0
"""Seconds that a search spends on embedding what is new before it answers."""
_WHILE_COMPARING = 10.0
_NAMED = 8  # matches that an error names
_FORGET_PAGE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One memory, and what is known of it beyond its row."""

    memory: Memory
    embedded_by: str | None
    replaces: Sequence[str]
    waits_because: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryReport:
    """The figures of some scopes; `embedder` is None where meaning cannot be compared."""

    scopes: Sequence[str]
    figures: MemoryFigures
    embedder: str | None
    index: str


def listing_of(home: Home) -> MemoryListing:
    from hermes.store.tables.memory_listing import MemoryListingTable

    return MemoryListingTable(home.database)


@contextmanager
def memory_room(home: Home, *, semantic: bool = True) -> Iterator[MemoryRoom]:
    """The room, closed when done: what was recalled is written down then."""
    from hermes.app.memory import open_memory

    room = open_memory(home, semantic=semantic)
    try:
        yield room
    finally:
        room.close()


def quick_remember(home: Home) -> Remember:
    """Remembers without loading what searching needs; upkeep embeds the text later."""
    from hermes.app.memory import memory_keeping
    from hermes.memory.remember import Remember
    from hermes.memory.words_alone import WordsAlone

    keeping = memory_keeping(home)
    known = WordsAlone(keeping.memories, keeping.words, listing_of(home), keeping.clock)
    return Remember(keeping, known)


def trust_of_caller(home: Home, *, at_terminal: bool) -> Trust:
    """Whose words an argument is. Where an agent is at work and nobody sits at a terminal it may
    be the agent's, and what an agent says is not what its user said."""
    from hermes.records.memory import Trust
    from hermes.store.tables.trajectory import TrajectoryTable

    if not at_terminal and TrajectoryTable(home.database).any_open():
        return Trust.DERIVED
    return Trust.USER


def search(
    room: MemoryRoom,
    query: str,
    *,
    scopes: Sequence[str],
    kinds: Sequence[MemoryKind] | None = None,
    k: int = 8,
) -> Recalled:
    """The best answers, after what was added a moment ago was given its meaning."""
    catch_up(room, _MOMENT)
    return room.recall.search(query, scopes=scopes, kinds=kinds, k=k)


def catch_up(room: MemoryRoom, seconds: float) -> int:
    """Embed what is new, for so long; an embedder that is away is waited for another time."""
    try:
        return room.upkeep.catch_up(seconds)
    except EmbedderUnavailable:
        return 0


def find_memory(home: Home, text: str) -> Memory:
    """The memory with this id, or the only one whose id begins so; `mem_` may be left out."""
    from hermes.rules.plain_text import is_storable
    from hermes.store.tables.memory import MemoryTable

    where = "`hermes memory list` shows them"
    rest = text.strip().lower().removeprefix("mem_")
    if not rest or not is_storable(text):
        raise NotFound(f"there is no memory {text!a}", hint=where)
    memories, listing = MemoryTable(home.database), listing_of(home)
    found = memories.get(f"mem_{rest}")
    if found is not None:
        return found
    matches = listing.starting_with(f"mem_{rest}", _NAMED + 1)
    if len(matches) > 1:
        shown = ", ".join(matches[:_NAMED]) + (" …" if len(matches) > _NAMED else "")
        raise Ambiguous(f"'{text}' fits several memories: {shown}", hint="give more of the id")
    found = memories.get(matches[0]) if matches else None
    if found is None:
        raise NotFound(f"there is no memory '{text}'", hint=where)
    return found


def look(home: Home, memory: Memory) -> Look:
    """What a screen about one memory shows."""
    listing = listing_of(home)
    waits = None
    if memory.waiting:
        from hermes.rules.remembering.instructions import instruction_in

        waits = instruction_in(memory.text, memory.kind) or "whoever wrote it down said so"
    return Look(
        memory=memory,
        embedded_by=listing.embedder_of(memory.id),
        replaces=listing.replaced_by(memory),
        waits_because=waits,
    )


def page_of(
    home: Home, choice: MemoryChoice, before: str, limit: int
) -> tuple[Sequence[Memory], str | None]:
    """Newest first, and the cursor of the next page where there is one."""
    found = listing_of(home).latest(choice, before, limit + 1)
    return found[:limit], found[limit - 1].id if len(found) > limit else None


def forget(home: Home, memories: Sequence[Memory], said: Approval) -> int:
    """Really: text, vector, index entries, and old copies of their pages."""
    with memory_room(home) as room:
        ids = [memory.id for memory in memories]
        return room.forget.forget_many(ids, said.by, how=said.how())


def forget_chosen(
    home: Home, choice: MemoryChoice, said: Approval, progress: Callable[[int], None]
) -> int:
    """All that a choice fits, a page at a time; `progress` is told how many are gone."""
    listing, count = listing_of(home), 0
    with memory_room(home) as room:
        while page := listing.latest(choice, limit=_FORGET_PAGE):
            ids = [memory.id for memory in page]
            count += room.forget.forget_many(ids, said.by, how=said.how())
            progress(count)
    return count


def approve(home: Home, memory: Memory, said: Approval) -> Memory:
    """Let a waiting memory be recalled, on a person's word."""
    return quick_remember(home).approve(memory.id, said.by, how=said.how())


def consolidations(room: MemoryRoom, scopes: Sequence[str]) -> list[tuple[str, Consolidation]]:
    """Every proposal with a name that stays the same as long as its evidence does."""
    if room.consolidate is None:
        raise MissingPart(
            "episodes cannot be compared without an embedder", hint="`hermes doctor` says why"
        )
    catch_up(room, _WHILE_COMPARING)
    found = [one for scope in scopes for one in room.consolidate.proposals(scope)]
    return [(content_hash("".join(one.evidence).encode())[:8], one) for one in found]


def accept(room: MemoryRoom, proposal: Consolidation, said: Approval, text: str | None) -> Memory:
    """The fact that a proposal became, in the person's own words where there are any."""
    if room.consolidate is None:
        raise MissingPart("without an embedder nothing was proposed", hint="see `hermes doctor`")
    fact = room.consolidate.accept(proposal, said.by, text=text, how=said.how())
    memory = room.memories.get(fact)
    if memory is None:
        raise NotFound(f"{fact} was forgotten again a moment ago")
    return memory


def report(home: Home, scopes: Sequence[str]) -> MemoryReport:
    """How much is remembered, and how much of it can be found by meaning."""
    with memory_room(home) as room:
        figures = room.figures.of(scopes)
    return MemoryReport(
        scopes=scopes,
        figures=figures,
        embedder=home.embedder.name if home.embedder is not None else None,
        index=_index_state(home, sum(figures.kinds.values()) - figures.without_vector),
    )


def _index_state(home: Home, vectors: int) -> str:
    """In words: what a search by meaning goes through."""
    if home.embedder is None:
        return "none: there is no embedder"
    if home.database.dialect.name == "postgres":
        return "HNSW in the database"
    from hermes.memory.local_vectors import MATRIX_LIMIT

    files = list((home.settings.paths.data_dir / "memory").glob("*.usearch"))
    if files:
        size = sum(file.stat().st_size for file in files)
        return f"{len(files)} graph{'s' if len(files) > 1 else ''} on disk, {size / 1e6:.1f} MB"
    if vectors <= MATRIX_LIMIT:
        return f"none needed: up to {MATRIX_LIMIT:,} vectors are compared one by one"
    return "not built yet: `hermes memory upkeep` does it"
