-- The work: what was asked, what was done, how we read it, and what is kept of it to learn from.

CREATE TABLE sessions (
    id EXACT_TEXT PRIMARY KEY,
    source EXACT_TEXT NOT NULL,
    external_id EXACT_TEXT,
    parent_id EXACT_TEXT,
    title EXACT_TEXT NOT NULL,
    cwd EXACT_TEXT,
    model EXACT_TEXT,
    scope EXACT_TEXT NOT NULL,
    started_at EXACT_TEXT NOT NULL,
    ended_at EXACT_TEXT,
    UNIQUE (source, external_id)
);

CREATE TABLE tasks (
    id EXACT_TEXT PRIMARY KEY,
    session_id EXACT_TEXT REFERENCES sessions (id) DEFERRABLE INITIALLY DEFERRED,
    text EXACT_TEXT NOT NULL,
    inputs EXACT_TEXT NOT NULL,
    environment EXACT_TEXT NOT NULL,
    scope EXACT_TEXT NOT NULL,
    created_at EXACT_TEXT NOT NULL
);
CREATE INDEX tasks_by_session ON tasks (session_id, id);

CREATE TABLE trajectories (
    id EXACT_TEXT PRIMARY KEY,
    task_id EXACT_TEXT NOT NULL REFERENCES tasks (id) DEFERRABLE INITIALLY DEFERRED,
    session_id EXACT_TEXT REFERENCES sessions (id) DEFERRABLE INITIALLY DEFERRED,
    state EXACT_TEXT NOT NULL,
    model EXACT_TEXT,
    started_at EXACT_TEXT NOT NULL,
    ended_at EXACT_TEXT,
    summary EXACT_TEXT
);
CREATE INDEX trajectories_open ON trajectories (id) WHERE state = 'open';

CREATE TABLE steps (
    trajectory_id EXACT_TEXT NOT NULL REFERENCES trajectories (id) DEFERRABLE INITIALLY DEFERRED,
    step_id BIGINT NOT NULL CHECK (step_id >= 1),
    type EXACT_TEXT NOT NULL,
    content EXACT_TEXT NOT NULL,
    timestamp DOUBLE PRECISION NOT NULL,
    metadata EXACT_TEXT NOT NULL,
    artefacts EXACT_TEXT NOT NULL,
    PRIMARY KEY (trajectory_id, step_id)
);

-- Ended trajectories that no worker has taken up yet.
CREATE TABLE outbox (
    trajectory_id EXACT_TEXT PRIMARY KEY
        REFERENCES trajectories (id) DEFERRABLE INITIALLY DEFERRED,
    ended_at EXACT_TEXT NOT NULL
);
CREATE INDEX outbox_by_end ON outbox (ended_at, trajectory_id);

CREATE TABLE observations (
    id EXACT_TEXT PRIMARY KEY,
    trajectory_id EXACT_TEXT NOT NULL UNIQUE
        REFERENCES trajectories (id) DEFERRABLE INITIALLY DEFERRED,
    success BIGINT CHECK (success IN (0, 1)),
    success_source EXACT_TEXT NOT NULL,
    confidence DOUBLE PRECISION NOT NULL,
    efficiency_score DOUBLE PRECISION,
    error_recovery EXACT_TEXT NOT NULL,
    learning_value DOUBLE PRECISION NOT NULL,
    key_insights EXACT_TEXT NOT NULL,
    created_at EXACT_TEXT NOT NULL
);

-- An example is redacted and kept for ever: it outlives the trajectory it was taken from.
CREATE TABLE examples (
    id EXACT_TEXT PRIMARY KEY,
    trajectory_id EXACT_TEXT,
    task EXACT_TEXT NOT NULL,
    status EXACT_TEXT NOT NULL,
    environment EXACT_TEXT NOT NULL,
    inputs EXACT_TEXT NOT NULL,
    tools_used EXACT_TEXT NOT NULL,
    expected_output EXACT_TEXT,
    notes EXACT_TEXT NOT NULL,
    reviewer EXACT_TEXT,
    reviewed_at EXACT_TEXT,
    created_at EXACT_TEXT NOT NULL
);
CREATE INDEX examples_by_status ON examples (status, id);

CREATE TABLE patterns (
    id EXACT_TEXT PRIMARY KEY,
    intent EXACT_TEXT NOT NULL,
    example_ids EXACT_TEXT NOT NULL,
    reason EXACT_TEXT NOT NULL,
    created_at EXACT_TEXT NOT NULL,
    updated_at EXACT_TEXT NOT NULL
);

-- A use is a figure in a release's statistics: it outlives the trajectory it was counted in.
CREATE TABLE uses (
    id EXACT_TEXT PRIMARY KEY,
    skill_id EXACT_TEXT NOT NULL REFERENCES skills (id) DEFERRABLE INITIALLY DEFERRED,
    release_id EXACT_TEXT NOT NULL REFERENCES releases (id) DEFERRABLE INITIALLY DEFERRED,
    task_id EXACT_TEXT NOT NULL REFERENCES tasks (id) DEFERRABLE INITIALLY DEFERRED,
    trajectory_id EXACT_TEXT,
    arm EXACT_TEXT NOT NULL,
    outcome EXACT_TEXT NOT NULL,
    reason EXACT_TEXT NOT NULL,
    seconds DOUBLE PRECISION,
    tokens BIGINT,
    assigned_at EXACT_TEXT NOT NULL,
    settled_at EXACT_TEXT
);
CREATE INDEX uses_by_release ON uses (release_id, id);
CREATE INDEX uses_by_task ON uses (task_id, id);

CREATE TABLE feedback (
    id EXACT_TEXT PRIMARY KEY,
    trajectory_id EXACT_TEXT NOT NULL REFERENCES trajectories (id) DEFERRABLE INITIALLY DEFERRED,
    rating BIGINT CHECK (rating BETWEEN 1 AND 5),
    correction EXACT_TEXT,
    by EXACT_TEXT NOT NULL,
    at EXACT_TEXT NOT NULL
);
CREATE INDEX feedback_by_trajectory ON feedback (trajectory_id, id);
