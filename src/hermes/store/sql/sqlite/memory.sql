-- name: add_terms
-- So many more memories have these terms; they come as one JSON list of [id, scope, term, count].
INSERT INTO memory_terms (id, scope, term, documents)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
    json_extract(value, '$[3]')
FROM json_each(:terms) WHERE true
ON CONFLICT (id) DO UPDATE SET documents = documents + excluded.documents;

-- name: add_postings
-- How often a memory has a term; they come as one JSON list of [term id, number, occurrences].
INSERT INTO memory_postings (term_id, number, occurrences)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')
FROM json_each(:postings);

-- name: take_terms
-- One memory fewer has these terms, which come as one JSON list of ids.
UPDATE memory_terms SET documents = documents - 1
WHERE id IN (SELECT value FROM json_each(:ids));

-- name: drop_empty_terms
-- A term that no memory has is forgotten with the last one that had it.
DELETE FROM memory_terms
WHERE documents <= 0 AND id IN (SELECT value FROM json_each(:ids));

-- name: delete_postings
-- A memory's terms no longer lead to it.
DELETE FROM memory_postings
WHERE number = :number AND term_id IN (SELECT value FROM json_each(:ids));

-- name: postings_of
-- Which memories have the terms, a row a term: a common one has too many to read row by row. Then of
-- those that have it more than once the number and how often. The ids come as one JSON list.
SELECT term_id, group_concat(number),
    group_concat(number || ',' || occurrences) FILTER (WHERE occurrences > 1)
FROM memory_postings WHERE term_id IN (SELECT value FROM json_each(:ids)) GROUP BY term_id;

-- name: memory_twins
-- The live memories of a scope that have one of these fingerprints, which come as one JSON list.
SELECT fingerprint, {memory_columns} FROM memories
WHERE scope = :scope AND superseded_by IS NULL
    AND fingerprint IN (SELECT value FROM json_each(:fingerprints))
ORDER BY number;

-- name: memories_numbered
-- The memories of these numbers, which come as one JSON list.
SELECT number, {memory_columns} FROM memories
WHERE number IN (SELECT value FROM json_each(:numbers));

-- name: recall_memories
-- These memories were recalled; they come as one JSON list of [number, strength].
UPDATE memories SET last_recalled_at = :at, generation = :generation,
    strength = json_extract(recalled.value, '$[1]')
FROM json_each(:recalled) AS recalled
WHERE number = json_extract(recalled.value, '$[0]');
