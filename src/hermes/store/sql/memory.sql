-- columns: memory_columns
-- The fields of the record, in their order.
id, text, kind, scope, source, trust, strength, created_at, last_recalled_at, expires_at,
superseded_by

-- name: insert_memory
-- Something is remembered.
INSERT INTO memories ({memory_columns}) VALUES ({:memory_columns});

-- name: replace_memory
-- It was recalled, grew weaker, or was superseded.
UPDATE memories SET ({memory_columns}) = ({:memory_columns}) WHERE id = :id;

-- name: get_memory
-- One memory by its id.
SELECT {memory_columns} FROM memories WHERE id = :id;

-- name: delete_memory
-- To forget is to delete: nothing of it stays here.
DELETE FROM memories WHERE id = :id;

-- name: page_memories
-- The memories of a scope by pages, oldest first.
SELECT {memory_columns} FROM memories
WHERE scope = :scope AND id > :after ORDER BY id LIMIT :limit;

-- name: page_memories_of_kind
-- The same for one kind.
SELECT {memory_columns} FROM memories
WHERE scope = :scope AND kind = :kind AND id > :after ORDER BY id LIMIT :limit;
