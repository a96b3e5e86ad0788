-- No fixed length: another embedder may have other dimensions.
ALTER TABLE skills ADD COLUMN embedding vector;

-- The audit trail is append-only, whoever holds the connection.
CREATE FUNCTION refuse_change_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail is append-only';
END
$$;

CREATE TRIGGER events_never_change BEFORE UPDATE OR DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_events();

CREATE TRIGGER events_never_go BEFORE TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_events();

CREATE FUNCTION refuse_gap_in_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.seq <> (SELECT COALESCE(MAX(seq), 0) + 1 FROM events) THEN
        RAISE EXCEPTION 'the audit trail is append-only';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER events_come_in_order BEFORE INSERT ON events
    FOR EACH ROW EXECUTE FUNCTION refuse_gap_in_events();
