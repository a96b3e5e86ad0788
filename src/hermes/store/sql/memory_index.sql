-- name: memory_place
-- Where a memory is in the index, and the terms that must go when it does.
SELECT number, scope, kind, terms FROM memories WHERE id = :id;

-- name: set_memory_terms
-- What was read off its text; in a new generation, so that every process takes it up.
UPDATE memories SET terms = :terms, length = :length, fingerprint = :fingerprint,
    generation = :generation
WHERE id = :id;

-- name: memory_entries
-- What recall keeps of each memory of a scope. Without the terms: they are many, and read by term.
SELECT number, kind, session_id, created_at, last_recalled_at, expires_at, strength, length,
    CASE WHEN superseded_by IS NULL THEN 0 ELSE 1 END, waiting, NULL
FROM memories WHERE scope = :scope AND terms IS NOT NULL ORDER BY number;

-- name: memory_entries_since
-- The same of what was written after a generation, with its terms.
SELECT number, kind, session_id, created_at, last_recalled_at, expires_at, strength, length,
    CASE WHEN superseded_by IS NULL THEN 0 ELSE 1 END, waiting, terms
FROM memories WHERE scope = :scope AND generation > :generation AND terms IS NOT NULL
ORDER BY number;

-- name: numbers_gone
-- What was forgotten after a generation.
SELECT number FROM memories_gone
WHERE scope = :scope AND generation > :generation ORDER BY number;

-- name: page_unindexed
-- Memories that no index knows yet.
SELECT {memory_columns} FROM memories WHERE terms IS NULL ORDER BY number LIMIT :limit;

-- name: commonest_terms
-- The terms that most memories of a scope have.
SELECT term, documents FROM memory_terms WHERE scope = :scope
ORDER BY documents DESC, term LIMIT :limit;
