-- name: add_terms
-- So many more memories have these terms; they come as one JSON list of [id, scope, term, count].
INSERT INTO memory_terms (id, scope, term, documents)
SELECT CAST(value ->> 0 AS bigint), value ->> 1, value ->> 2, CAST(value ->> 3 AS bigint)
FROM json_array_elements(CAST(:terms AS json)) AS value
ON CONFLICT (id) DO UPDATE SET documents = memory_terms.documents + excluded.documents;

-- name: add_postings
-- How often a memory has a term; they come as one JSON list of [term id, number, occurrences].
INSERT INTO memory_postings (term_id, number, occurrences)
SELECT CAST(value ->> 0 AS bigint), CAST(value ->> 1 AS bigint), CAST(value ->> 2 AS bigint)
FROM json_array_elements(CAST(:postings AS json)) AS value;

-- name: take_terms
-- One memory fewer has these terms, which come as one JSON list of ids.
UPDATE memory_terms SET documents = documents - 1
WHERE id IN (SELECT CAST(json_array_elements_text(CAST(:ids AS json)) AS bigint));

-- name: drop_empty_terms
-- A term that no memory has is forgotten with the last one that had it.
DELETE FROM memory_terms
WHERE documents <= 0 AND id IN (SELECT CAST(json_array_elements_text(CAST(:ids AS json)) AS bigint));

-- name: delete_postings
-- A memory's terms no longer lead to it.
DELETE FROM memory_postings WHERE number = :number
    AND term_id IN (SELECT CAST(json_array_elements_text(CAST(:ids AS json)) AS bigint));

-- name: postings_of
-- Which memories have the terms, a row a term: a common one has too many to read row by row. Then of
-- those that have it more than once the number and how often. The ids come as one JSON list; as an
-- array they lead straight into the index.
SELECT term_id, string_agg(CAST(number AS text), ','),
    string_agg(number || ',' || occurrences, ',') FILTER (WHERE occurrences > 1)
FROM memory_postings WHERE term_id = ANY(CAST(translate(:ids, '[]', '{}') AS bigint[]))
GROUP BY term_id;

-- name: memory_twins
-- The live memories of a scope that have one of these fingerprints, which come as one JSON list.
SELECT fingerprint, {memory_columns} FROM memories
WHERE scope = :scope AND superseded_by IS NULL
    AND fingerprint IN (SELECT json_array_elements_text(CAST(:fingerprints AS json)))
ORDER BY number;

-- name: memories_numbered
-- The memories of these numbers, which come as one JSON list.
SELECT number, {memory_columns} FROM memories
WHERE number IN (SELECT CAST(json_array_elements_text(CAST(:numbers AS json)) AS bigint));

-- name: recall_memories
-- These memories were recalled; they come as one JSON list of [number, strength].
UPDATE memories SET last_recalled_at = :at, generation = :generation,
    strength = CAST(recalled.value ->> 1 AS double precision)
FROM json_array_elements(CAST(:recalled AS json)) AS recalled (value)
WHERE number = CAST(recalled.value ->> 0 AS bigint);
