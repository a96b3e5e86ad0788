-- columns: candidate_columns
-- The fields of the record, in their order.
id, skill_id, skill_name, version_id, parent_version_id, action, summary, origin, author,
session_id, evidence, created_at

-- name: insert_candidate
-- A proposal is written once and never changed.
INSERT INTO candidates ({candidate_columns}) VALUES ({:candidate_columns});

-- name: get_candidate
-- One candidate by its id.
SELECT {candidate_columns} FROM candidates WHERE id = :id;

-- name: candidate_of_version
-- The proposal that brought a version.
SELECT {candidate_columns} FROM candidates
WHERE version_id = :version_id;

-- name: candidates_of_skill
-- All that was ever proposed for a skill, oldest first.
SELECT {candidate_columns} FROM candidates
WHERE skill_id = :skill_id ORDER BY id;

-- name: page_candidates
-- All candidates by pages, oldest first.
SELECT {candidate_columns} FROM candidates
WHERE id > :after ORDER BY id LIMIT :limit;

-- name: candidates_awaiting
-- The review queue: whose version waits for a person, oldest first.
SELECT {candidate_columns} FROM candidates
WHERE version_id IN (SELECT id FROM versions WHERE state = 'awaiting_review') ORDER BY id;

-- name: candidates_awaiting_of_session
-- Those of them that one session wrote: asked before each prompt, however long the queue is.
SELECT {candidate_columns} FROM candidates
WHERE session_id = :session_id
  AND version_id IN (SELECT id FROM versions WHERE state = 'awaiting_review') ORDER BY id;

-- name: candidates_of_origin
-- Everything that came from one kind of author, oldest first.
SELECT {candidate_columns} FROM candidates
WHERE origin = :origin ORDER BY id;
