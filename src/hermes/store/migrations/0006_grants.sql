-- Which hosts a skill may reach when it is run, who allowed each, and who took it back.

CREATE TABLE grants (
    id EXACT_TEXT PRIMARY KEY,
    skill_id EXACT_TEXT NOT NULL REFERENCES skills (id) DEFERRABLE INITIALLY DEFERRED,
    version_id EXACT_TEXT NOT NULL REFERENCES versions (id) DEFERRABLE INITIALLY DEFERRED,
    host EXACT_TEXT NOT NULL,
    approval EXACT_TEXT NOT NULL,
    revoked EXACT_TEXT
);
CREATE INDEX grants_by_skill ON grants (skill_id, id);
