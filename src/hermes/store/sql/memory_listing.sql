-- name: latest_chosen_memories
-- Memories of a scope and kind by pages, newest first. A flag is asked for by its lowest and highest
-- value, so that one statement serves every question.
SELECT {memory_columns} FROM memories
WHERE scope = :scope AND kind = :kind AND id < :before
    AND waiting BETWEEN :waiting_low AND :waiting_high
    AND CASE WHEN superseded_by IS NULL THEN 0 ELSE 1 END BETWEEN :old_low AND :old_high
    AND created_at < :created_before AND (:any_source = 1 OR source = :source)
ORDER BY id DESC LIMIT :limit;

-- name: count_chosen_memories
-- How many there are of them.
SELECT COUNT(*) FROM memories
WHERE scope = :scope AND kind = :kind
    AND waiting BETWEEN :waiting_low AND :waiting_high
    AND CASE WHEN superseded_by IS NULL THEN 0 ELSE 1 END BETWEEN :old_low AND :old_high
    AND created_at < :created_before AND (:any_source = 1 OR source = :source);

-- name: walk_memories
-- Every memory of every scope by pages, oldest first.
SELECT {memory_columns} FROM memories WHERE id > :after ORDER BY id LIMIT :limit;

-- name: memory_ids_from
-- Ids from a text on: those that begin with it come first.
SELECT id FROM memories WHERE id >= :start ORDER BY id LIMIT :limit;

-- name: memory_scopes
-- Every scope that has memories.
SELECT DISTINCT scope FROM memories ORDER BY scope;

-- name: memory_ever_said
-- Whether a scope has had this text, letter for letter but for case and spaces, live or replaced.
SELECT 1 FROM memories
WHERE scope = :scope AND fingerprint = :fingerprint AND kind = :kind LIMIT 1;

-- name: memory_embedder
-- Whose vector a memory has.
SELECT embedder FROM memory_vectors
WHERE number = (SELECT number FROM memories WHERE id = :id);

-- name: replaced_memories
-- What a memory took the place of. There is an index by scope, and none is worth having by this.
SELECT id FROM memories
WHERE scope = :scope AND kind = :kind AND superseded_by = :id ORDER BY id LIMIT :limit;
