-- Learning from logs: what was imported already, so that a log that did not change costs a stat.

CREATE TABLE imported_files (
    path EXACT_TEXT PRIMARY KEY,
    size BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    head EXACT_TEXT NOT NULL,
    how EXACT_TEXT NOT NULL,
    sessions BIGINT NOT NULL,
    tasks BIGINT NOT NULL,
    steps BIGINT NOT NULL,
    problems BIGINT NOT NULL,
    imported_at EXACT_TEXT NOT NULL
);

-- Clusters: every example lies in one, most of one-offs alone; a pattern is a cluster of several
-- and has its id. The sum of the members' vectors spares reading them all for each newcomer.
CREATE TABLE clusters (
    id EXACT_TEXT PRIMARY KEY,
    embedder EXACT_TEXT NOT NULL,
    size BIGINT NOT NULL CHECK (size >= 1),
    total BLOB NOT NULL
);

CREATE TABLE placements (
    example_id EXACT_TEXT PRIMARY KEY REFERENCES examples (id) DEFERRABLE INITIALLY DEFERRED,
    cluster_id EXACT_TEXT NOT NULL REFERENCES clusters (id) DEFERRABLE INITIALLY DEFERRED,
    vector BLOB NOT NULL
);
CREATE INDEX placements_by_cluster ON placements (cluster_id, example_id);
