-- name: latest_embedder_moves
-- When the store's vectors were handed to another embedder, the latest first.
SELECT {event_columns} FROM events
WHERE kind = 'embedder.changed' ORDER BY seq DESC LIMIT :limit;

-- name: newest_vectors_embedder
-- Whose vectors there are where nobody ever changed the embedder.
SELECT embedder FROM memory_vectors ORDER BY number DESC LIMIT 1;
