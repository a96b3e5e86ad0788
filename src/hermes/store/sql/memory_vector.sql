-- name: put_memory_vector
-- What a memory means to an embedder, in the place of what it meant to another.
INSERT INTO memory_vectors (number, scope, kind, embedder, generation, embedding)
VALUES (:number, :scope, :kind, :embedder, :generation, :embedding)
ON CONFLICT (number) DO UPDATE SET embedder = :embedder, generation = :generation,
    embedding = :embedding;

-- name: delete_memory_vector
-- Nothing of a forgotten memory's meaning stays.
DELETE FROM memory_vectors WHERE number = :number;

-- name: memory_vectors_since
-- The vectors of a scope that were written after a generation, by pages.
SELECT number, kind, embedding, generation FROM memory_vectors
WHERE scope = :scope AND embedder = :embedder
    AND (generation > :generation OR (generation = :generation AND number > :number))
ORDER BY generation, number LIMIT :limit;

-- name: count_memory_vectors
-- How many memories of a scope an embedder has read.
SELECT COUNT(*) FROM memory_vectors WHERE scope = :scope AND embedder = :embedder;

-- name: scopes_with_vectors
-- How many memories of each scope an embedder has read.
SELECT scope, COUNT(*) FROM memory_vectors WHERE embedder = :embedder GROUP BY scope ORDER BY scope;

-- name: page_unembedded
-- Memories that this embedder has not read yet, the newest first.
SELECT {memory_columns} FROM memories
WHERE NOT EXISTS (
    SELECT 1 FROM memory_vectors
    WHERE memory_vectors.number = memories.number AND embedder = :embedder
) ORDER BY memories.number DESC LIMIT :limit;
