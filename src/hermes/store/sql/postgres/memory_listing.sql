-- name: term_documents
-- How many memories of a scope have each of these terms, whose ids come as one JSON list.
SELECT id, documents FROM memory_terms
WHERE id IN (SELECT CAST(json_array_elements_text(CAST(:ids AS json)) AS bigint));
