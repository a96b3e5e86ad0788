-- A vector that the store's embedder made is not taken back by another, whichever process or older
-- version tries: what it writes over is left as it is. Without a line in the trail all may write.

CREATE TRIGGER memory_vectors_stay BEFORE UPDATE OF embedder ON memory_vectors
WHEN NEW.embedder <> OLD.embedder AND NEW.embedder <> (
    SELECT subject_id FROM events WHERE kind = 'embedder.changed' ORDER BY seq DESC LIMIT 1)
BEGIN
    SELECT RAISE(IGNORE);
END;

CREATE TRIGGER passage_vectors_stay BEFORE UPDATE OF embedder ON passage_vectors
WHEN NEW.embedder <> OLD.embedder AND NEW.embedder <> (
    SELECT subject_id FROM events WHERE kind = 'embedder.changed' ORDER BY seq DESC LIMIT 1)
BEGIN
    SELECT RAISE(IGNORE);
END;
