-- Vectors are little-endian float32, as the embedder gives them.
ALTER TABLE skills ADD COLUMN embedding BLOB;

-- The audit trail is append-only, whoever holds the connection. INSERT OR REPLACE deletes without
-- firing a delete trigger, so a new line must also be the next one.
CREATE TRIGGER events_never_change BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER events_never_go BEFORE DELETE ON events
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER events_come_in_order BEFORE INSERT ON events
WHEN NEW.seq <> (SELECT COALESCE(MAX(seq), 0) + 1 FROM events)
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
