"""The memory room: remember, recall, forget, and the upkeep of what recalling needs.

    Remember.add(text, kind=None, *, scope, source, trust, session_id=None, expires_at=None,
                 approved_by=None, at=None) -> Remembered
    Remember.add_many([Note(...), ...]) -> list[Remembered]        32 in a transaction
    Remember.approve(memory_id, by, *, how=None) -> Memory
    Recall.search(query, *, scopes, kinds=None, k=8, token_budget=None, now=None,
                  session_context=None) -> Recalled
    Recall.expect(query, scopes)         begins to embed what is searched for in a moment
    Recall.settle()                      writes down what was recalled since the last time
    Forget.forget(memory_id, by) -> bool
    Forget.forget_many(memory_ids, by, *, how=None) -> int
    Import.read(stream, reading, progress) -> MemoryImport         JSON lines, each once
    Figures.of(scopes) -> MemoryFigures
    Consolidate.proposals(scope) -> list[Consolidation]
    Consolidate.accept(proposal, by, *, text=None, how=None) -> str
    Upkeep.run(limit=None, seconds=None) -> int      indexes and embeds what lacks it
    Upkeep.catch_up(seconds) -> int                  the same in passing, before a search
    AgreedEmbedder.embed(texts)          away where the store was handed to another embedder
    AgreedEmbedder.take_over()           hands the store to this one, because a person asked

`hermes.app.memory.open_memory(home)` makes all of them as one `MemoryRoom`.

Whose memories a search sees is decided before anything is scored: postings, document counts and
vectors are kept and read by scope, so another scope's texts change neither the hits nor their
scores.
"""
