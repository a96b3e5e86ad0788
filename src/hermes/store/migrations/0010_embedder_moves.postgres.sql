-- A vector that the store's embedder made is not taken back by another, whichever process or older
-- version tries: what it writes over is left as it is. Without a line in the trail all may write.

CREATE FUNCTION keep_vector_of_embedder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.embedder <> (
        SELECT subject_id FROM events WHERE kind = 'embedder.changed' ORDER BY seq DESC LIMIT 1
    ) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER memory_vectors_stay BEFORE UPDATE OF embedder ON memory_vectors
    FOR EACH ROW WHEN (NEW.embedder <> OLD.embedder) EXECUTE FUNCTION keep_vector_of_embedder();

CREATE TRIGGER passage_vectors_stay BEFORE UPDATE OF embedder ON passage_vectors
    FOR EACH ROW WHEN (NEW.embedder <> OLD.embedder) EXECUTE FUNCTION keep_vector_of_embedder();

-- The vectors of a kind that is rare in its scope are read whole: among many others they lie far
-- apart in the index over the vectors.
CREATE INDEX memory_vectors_by_kind ON memory_vectors (scope, embedder, kind);
