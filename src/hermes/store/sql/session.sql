-- columns: session_columns
-- The fields of the record, in their order.
id, source, external_id, parent_id, title, cwd, model, scope, started_at, ended_at

-- name: insert_session
-- A conversation or an import begins.
INSERT INTO sessions ({session_columns}) VALUES ({:session_columns});

-- name: replace_session
-- A session gets a title, a model, an end.
UPDATE sessions SET ({session_columns}) = ({:session_columns}) WHERE id = :id;

-- name: get_session
-- One session by its id.
SELECT {session_columns} FROM sessions WHERE id = :id;

-- name: find_session
-- The session that another agent calls by its own id: an import is not done twice.
SELECT {session_columns} FROM sessions
WHERE source = :source AND external_id = :external_id;

-- name: page_sessions
-- All sessions by pages, oldest first.
SELECT {session_columns} FROM sessions
WHERE id > :after ORDER BY id LIMIT :limit;

-- name: latest_sessions
-- The last sessions of one agent, or those whose id begins so.
SELECT {session_columns} FROM sessions
WHERE source = :source AND id >= :prefix AND id < :end
ORDER BY id DESC LIMIT :limit;
