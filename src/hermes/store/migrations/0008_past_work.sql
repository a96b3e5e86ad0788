-- Past work that can be searched. A row for a run, not for a passage: a term in a row of its own
-- would cost more than the text, and a run is indexed and forgotten as a whole.

-- In which form its passages are in the index; 0 for not at all.
ALTER TABLE trajectories ADD COLUMN indexed BIGINT NOT NULL DEFAULT 0;
CREATE INDEX trajectories_by_indexed ON trajectories (indexed, id);

-- `places` says where each passage of a run is, `words` which terms it has and how often. `number`
-- is a value of the library's generation counter, so it is given out once: a run that is indexed
-- again is new to whoever knew it.
CREATE TABLE passages (
    trajectory_id EXACT_TEXT PRIMARY KEY
        REFERENCES trajectories (id) DEFERRABLE INITIALLY DEFERRED,
    number BIGINT NOT NULL,
    scope EXACT_TEXT NOT NULL,
    agent EXACT_TEXT NOT NULL,
    started_at EXACT_TEXT NOT NULL,
    places BLOB NOT NULL,
    words BLOB NOT NULL
);
CREATE UNIQUE INDEX passages_by_number ON passages (scope, number);

-- What some passages of a run mean to an embedder.
CREATE TABLE passage_vectors (
    trajectory_id EXACT_TEXT PRIMARY KEY
        REFERENCES trajectories (id) DEFERRABLE INITIALLY DEFERRED,
    number BIGINT NOT NULL,
    scope EXACT_TEXT NOT NULL,
    embedder EXACT_TEXT NOT NULL,
    generation BIGINT NOT NULL,
    vectors BLOB NOT NULL
);
CREATE INDEX passage_vectors_by_generation ON passage_vectors (scope, embedder, generation);

-- A run that was forgotten, or indexed again, leaves its number, so that a process that knew it
-- drops it too.
CREATE TABLE passages_gone (
    number BIGINT PRIMARY KEY,
    scope EXACT_TEXT NOT NULL,
    generation BIGINT NOT NULL
);
CREATE INDEX passages_gone_by_generation ON passages_gone (scope, generation);

-- Up to which generation of the library something that follows it has come.
CREATE TABLE followed (
    name EXACT_TEXT PRIMARY KEY,
    generation BIGINT NOT NULL
);
