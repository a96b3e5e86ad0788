-- The library: what a skill is, what it was, why it is live, and who allowed it.
-- Types that mean the same on both databases: EXACT_TEXT compares byte by byte, BLOB is bytes.
-- References are checked at commit, so that a transaction may write in any order.

CREATE TABLE generation (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    value BIGINT NOT NULL
);
INSERT INTO generation (id, value) VALUES (1, 0);

CREATE TABLE skills (
    id EXACT_TEXT PRIMARY KEY,
    name EXACT_TEXT NOT NULL,
    scope EXACT_TEXT NOT NULL,
    category EXACT_TEXT NOT NULL,
    location EXACT_TEXT NOT NULL,
    description EXACT_TEXT NOT NULL,
    state EXACT_TEXT NOT NULL,
    pinned BIGINT NOT NULL CHECK (pinned IN (0, 1)),
    disabled BIGINT NOT NULL CHECK (disabled IN (0, 1)),
    origin EXACT_TEXT NOT NULL,
    approver EXACT_TEXT,
    active_version_id EXACT_TEXT REFERENCES versions (id) DEFERRABLE INITIALLY DEFERRED,
    proven BIGINT NOT NULL CHECK (proven IN (0, 1)),
    tags EXACT_TEXT NOT NULL,
    trigger_conditions EXACT_TEXT NOT NULL,
    code_template EXACT_TEXT,
    parameters EXACT_TEXT NOT NULL,
    test_parameters EXACT_TEXT NOT NULL,
    dependencies EXACT_TEXT NOT NULL,
    pitfalls EXACT_TEXT NOT NULL,
    success_criteria EXACT_TEXT NOT NULL,
    usage_count BIGINT NOT NULL,
    success_rate DOUBLE PRECISION NOT NULL,
    best_efficiency_score DOUBLE PRECISION,
    health_status EXACT_TEXT NOT NULL,
    needs_rewrite BIGINT NOT NULL CHECK (needs_rewrite IN (0, 1)),
    patch_count BIGINT NOT NULL,
    created_at EXACT_TEXT NOT NULL,
    updated_at EXACT_TEXT NOT NULL,
    last_used_at EXACT_TEXT,
    generation BIGINT NOT NULL,
    embedding_text_hash EXACT_TEXT,
    UNIQUE (scope, name)
);
CREATE INDEX skills_by_generation ON skills (generation);
