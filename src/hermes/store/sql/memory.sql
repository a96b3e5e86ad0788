-- columns: memory_columns
-- The fields of the record, in their order.
id, text, kind, scope, source, trust, session_id, strength, created_at, last_recalled_at,
expires_at, superseded_by, waiting, approved_by

-- name: insert_memory
-- Something is remembered. Its first generation is its number for ever.
INSERT INTO memories ({memory_columns}, number, generation)
VALUES ({:memory_columns}, :generation, :generation);

-- name: insert_indexed_memory
-- The same, with what was read off its text.
INSERT INTO memories ({memory_columns}, number, generation, terms, length, fingerprint)
VALUES ({:memory_columns}, :number, :number, :terms, :length, :fingerprint);

-- name: next_generations
-- Give out so many generation numbers at once, and the last of them; see `next_generation`.
UPDATE generation SET value = value + :count WHERE id = 1 RETURNING value;

-- name: replace_memory
-- It was recalled, approved or superseded. What was read off its text stays, for the text does.
UPDATE memories SET ({memory_columns}, generation) = ({:memory_columns}, :generation)
WHERE id = :id AND text = :text AND scope = :scope AND kind = :kind;

-- name: get_memory
-- One memory by its id.
SELECT {memory_columns} FROM memories WHERE id = :id;

-- name: delete_memory
-- To forget is to delete: nothing of it stays here.
DELETE FROM memories WHERE id = :id;

-- name: leave_number
-- The number of what was forgotten, so that other processes drop it too.
INSERT INTO memories_gone (number, scope, generation) VALUES (:number, :scope, :generation);

-- name: page_memories
-- The memories of a scope by pages, oldest first.
SELECT {memory_columns} FROM memories
WHERE scope = :scope AND id > :after ORDER BY id LIMIT :limit;

-- name: page_memories_of_kind
-- The same for one kind.
SELECT {memory_columns} FROM memories
WHERE scope = :scope AND kind = :kind AND id > :after ORDER BY id LIMIT :limit;

-- name: memory_twin
-- The live memory of a scope that says the same, letter for letter but for case and spaces.
SELECT {memory_columns} FROM memories
WHERE scope = :scope AND fingerprint = :fingerprint AND kind = :kind AND superseded_by IS NULL
ORDER BY number LIMIT 1;

-- name: count_memories
-- How many there are of each kind, live, superseded or waiting, and by the day they are of.
SELECT kind, CASE WHEN superseded_by IS NULL THEN 0 ELSE 1 END AS superseded, waiting,
    SUBSTR(created_at, 1, 10) AS day, COUNT(*)
FROM memories WHERE scope = :scope
GROUP BY kind, CASE WHEN superseded_by IS NULL THEN 0 ELSE 1 END, waiting,
    SUBSTR(created_at, 1, 10);

-- name: add_tally
-- Something happened so many times more.
INSERT INTO memory_tallies (scope, name, value) VALUES (:scope, :name, :value)
ON CONFLICT (scope, name) DO UPDATE SET value = memory_tallies.value + :value;

-- name: memory_tallies
-- What happened in a scope, and how often.
SELECT name, value FROM memory_tallies WHERE scope = :scope ORDER BY name;
