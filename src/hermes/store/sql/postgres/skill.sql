-- name: embeddings_of
-- The vectors of the named skills; the names come as one JSON list.
SELECT id, embedding_text_hash, embedding FROM skills
WHERE embedding IS NOT NULL AND id IN (SELECT json_array_elements_text(CAST(:ids AS json)))
ORDER BY id;
