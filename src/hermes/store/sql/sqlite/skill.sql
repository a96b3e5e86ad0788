-- name: embeddings_of
-- The vectors of the named skills; the names come as one JSON list.
SELECT id, embedding_text_hash, embedding FROM skills
WHERE embedding IS NOT NULL AND id IN (SELECT value FROM json_each(:ids)) ORDER BY id;
