-- What is remembered, and who may do what.

CREATE TABLE memories (
    id EXACT_TEXT PRIMARY KEY,
    text EXACT_TEXT NOT NULL,
    kind EXACT_TEXT NOT NULL,
    scope EXACT_TEXT NOT NULL,
    source EXACT_TEXT NOT NULL,
    trust EXACT_TEXT NOT NULL,
    strength DOUBLE PRECISION NOT NULL,
    created_at EXACT_TEXT NOT NULL,
    last_recalled_at EXACT_TEXT,
    expires_at EXACT_TEXT,
    superseded_by EXACT_TEXT
);
CREATE INDEX memories_by_scope ON memories (scope, kind, id);

CREATE TABLE users (
    id EXACT_TEXT PRIMARY KEY,
    name EXACT_TEXT NOT NULL UNIQUE,
    role EXACT_TEXT NOT NULL,
    token_hash EXACT_TEXT,
    created_at EXACT_TEXT NOT NULL,
    revoked_at EXACT_TEXT
);
