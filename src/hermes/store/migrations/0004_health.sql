-- Whether a live version still did what its own tests say: a row for each check, kept as history.

CREATE TABLE health_checks (
    id EXACT_TEXT PRIMARY KEY,
    skill_id EXACT_TEXT NOT NULL REFERENCES skills (id) DEFERRABLE INITIALLY DEFERRED,
    version_id EXACT_TEXT NOT NULL REFERENCES versions (id) DEFERRABLE INITIALLY DEFERRED,
    status EXACT_TEXT NOT NULL,
    error EXACT_TEXT NOT NULL,
    ran EXACT_TEXT NOT NULL,
    environment EXACT_TEXT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    checked_at EXACT_TEXT NOT NULL
);
CREATE INDEX health_checks_by_skill ON health_checks (skill_id, id);
