-- Work that the agent itself does: what a review of it should look for, and when one is due.

-- Kinds of review that the turn's end asked for, as a JSON list; learning is always asked for.
ALTER TABLE outbox ADD COLUMN reviews EXACT_TEXT NOT NULL DEFAULT '[]';

-- What happened in a session since it was last reviewed, for each kind of review.
CREATE TABLE review_counts (
    session_id EXACT_TEXT NOT NULL,
    kind EXACT_TEXT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (session_id, kind)
);

-- Which open runs belong to which process, so that a dead one's are known as interrupted.
CREATE TABLE open_runs (
    trajectory_id EXACT_TEXT PRIMARY KEY
        REFERENCES trajectories (id) DEFERRABLE INITIALLY DEFERRED,
    owner EXACT_TEXT NOT NULL
);

-- A session is taken up again by what was done in it, and by how lately.
CREATE INDEX trajectories_by_session ON trajectories (session_id, id);
CREATE INDEX sessions_by_source ON sessions (source, id);

-- Processes that do background work, and when each was last heard of.
CREATE TABLE workers (
    id EXACT_TEXT PRIMARY KEY,
    host EXACT_TEXT NOT NULL,
    beat_at EXACT_TEXT NOT NULL
);
