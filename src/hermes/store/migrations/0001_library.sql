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

CREATE TABLE versions (
    id EXACT_TEXT PRIMARY KEY,
    skill_id EXACT_TEXT NOT NULL REFERENCES skills (id) DEFERRABLE INITIALLY DEFERRED,
    number BIGINT NOT NULL CHECK (number >= 1),
    tree EXACT_TEXT NOT NULL,
    files EXACT_TEXT NOT NULL,
    parent_id EXACT_TEXT REFERENCES versions (id) DEFERRABLE INITIALLY DEFERRED,
    origin EXACT_TEXT NOT NULL,
    author EXACT_TEXT NOT NULL,
    state EXACT_TEXT NOT NULL,
    created_at EXACT_TEXT NOT NULL,
    UNIQUE (skill_id, number)
);
CREATE INDEX versions_by_state ON versions (state);

-- A column of its own statement: skills and versions point at each other.
ALTER TABLE skills ADD COLUMN active_version_id EXACT_TEXT
    REFERENCES versions (id) DEFERRABLE INITIALLY DEFERRED;

-- The bytes of every file of every version, each kept once.
CREATE TABLE contents (
    hash EXACT_TEXT PRIMARY KEY,
    data BLOB NOT NULL
);

CREATE TABLE candidates (
    id EXACT_TEXT PRIMARY KEY,
    skill_id EXACT_TEXT NOT NULL REFERENCES skills (id) DEFERRABLE INITIALLY DEFERRED,
    skill_name EXACT_TEXT NOT NULL,
    version_id EXACT_TEXT NOT NULL UNIQUE REFERENCES versions (id) DEFERRABLE INITIALLY DEFERRED,
    parent_version_id EXACT_TEXT REFERENCES versions (id) DEFERRABLE INITIALLY DEFERRED,
    action EXACT_TEXT NOT NULL,
    summary EXACT_TEXT NOT NULL,
    origin EXACT_TEXT NOT NULL,
    author EXACT_TEXT NOT NULL,
    session_id EXACT_TEXT,
    evidence EXACT_TEXT NOT NULL,
    created_at EXACT_TEXT NOT NULL
);
CREATE INDEX candidates_by_skill ON candidates (skill_id, id);

CREATE TABLE verdicts (
    id EXACT_TEXT PRIMARY KEY,
    candidate_id EXACT_TEXT NOT NULL REFERENCES candidates (id) DEFERRABLE INITIALLY DEFERRED,
    checks EXACT_TEXT NOT NULL,
    scores EXACT_TEXT NOT NULL,
    example_ids EXACT_TEXT NOT NULL,
    decision EXACT_TEXT NOT NULL,
    reason EXACT_TEXT NOT NULL,
    decided_at EXACT_TEXT NOT NULL
);
CREATE INDEX verdicts_by_candidate ON verdicts (candidate_id, id);

CREATE TABLE releases (
    id EXACT_TEXT PRIMARY KEY,
    skill_id EXACT_TEXT NOT NULL REFERENCES skills (id) DEFERRABLE INITIALLY DEFERRED,
    version_id EXACT_TEXT NOT NULL REFERENCES versions (id) DEFERRABLE INITIALLY DEFERRED,
    previous_version_id EXACT_TEXT REFERENCES versions (id) DEFERRABLE INITIALLY DEFERRED,
    state EXACT_TEXT NOT NULL,
    share DOUBLE PRECISION NOT NULL,
    approval EXACT_TEXT NOT NULL,
    released_at EXACT_TEXT NOT NULL,
    ended_at EXACT_TEXT,
    end_reason EXACT_TEXT
);
CREATE INDEX releases_by_skill ON releases (skill_id, id);
-- Two active releases of one skill cannot even be written.
CREATE UNIQUE INDEX releases_one_active ON releases (skill_id) WHERE state = 'active';

CREATE TABLE changes (
    id EXACT_TEXT PRIMARY KEY,
    skill_id EXACT_TEXT NOT NULL REFERENCES skills (id) DEFERRABLE INITIALLY DEFERRED,
    act EXACT_TEXT NOT NULL,
    reason EXACT_TEXT NOT NULL,
    version_id EXACT_TEXT REFERENCES versions (id) DEFERRABLE INITIALLY DEFERRED,
    approval EXACT_TEXT NOT NULL,
    at EXACT_TEXT NOT NULL
);
CREATE INDEX changes_by_skill ON changes (skill_id, id);

-- The audit trail refers to nothing by constraint: it must outlive whatever it tells of.
CREATE TABLE events (
    seq BIGINT PRIMARY KEY CHECK (seq >= 1),
    at EXACT_TEXT NOT NULL,
    kind EXACT_TEXT NOT NULL,
    actor EXACT_TEXT NOT NULL,
    skill_id EXACT_TEXT,
    subject_id EXACT_TEXT NOT NULL,
    data EXACT_TEXT NOT NULL,
    previous EXACT_TEXT NOT NULL UNIQUE,
    hash EXACT_TEXT NOT NULL UNIQUE
);
CREATE INDEX events_by_skill ON events (skill_id, seq);

CREATE TABLE journal (
    id EXACT_TEXT PRIMARY KEY,
    home EXACT_TEXT NOT NULL,
    skill_id EXACT_TEXT NOT NULL,
    location EXACT_TEXT NOT NULL,
    old_tree EXACT_TEXT,
    new_tree EXACT_TEXT,
    new_version_id EXACT_TEXT,
    work EXACT_TEXT NOT NULL,
    created_at EXACT_TEXT NOT NULL
);
CREATE INDEX journal_by_home ON journal (home, skill_id);
