-- columns: user_columns
-- The fields of the record, in their order.
id, name, role, token_hash, created_at, revoked_at

-- name: insert_user
-- A person becomes known.
INSERT INTO users ({user_columns}) VALUES ({:user_columns});

-- name: replace_user
-- A role, a token or a revocation changes.
UPDATE users SET ({user_columns}) = ({:user_columns}) WHERE id = :id;

-- name: user_named
-- One person by name.
SELECT {user_columns} FROM users
WHERE name = :name;

-- name: all_users
-- Everybody, by name.
SELECT {user_columns} FROM users
ORDER BY name;
