-- columns: version_columns
-- The fields of the record, in their order.
id, skill_id, number, tree, files, parent_id, origin, author, state, created_at

-- name: insert_version
-- A new state of a skill's folder; its bytes are in contents.
INSERT INTO versions ({version_columns}) VALUES ({:version_columns});

-- name: move_version
-- The folder of a version never changes; only its state moves.
UPDATE versions SET state = :state WHERE id = :id;

-- name: get_version
-- One version by its id.
SELECT {version_columns} FROM versions WHERE id = :id;

-- name: versions_of_skill
-- A skill's history, oldest first.
SELECT {version_columns} FROM versions
WHERE skill_id = :skill_id ORDER BY number;

-- name: next_version_number
-- One more than the last; two writers who get the same number meet at the unique constraint.
SELECT COALESCE(MAX(number), 0) + 1 FROM versions WHERE skill_id = :skill_id;

-- name: insert_content
-- The same bytes are kept once, whichever version brings them.
INSERT INTO contents (hash, data) VALUES (:hash, :data) ON CONFLICT (hash) DO NOTHING;

-- name: get_content
-- The bytes of one file.
SELECT data FROM contents WHERE hash = :hash;

-- name: has_content
-- Whether the bytes are there, without reading them.
SELECT 1 FROM contents WHERE hash = :hash;
