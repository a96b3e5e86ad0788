-- columns: grant_columns
-- The fields of the record, in their order.
id, skill_id, version_id, host, approval, revoked

-- name: insert_grant
-- Somebody lets a skill reach a host.
INSERT INTO grants ({grant_columns}) VALUES ({:grant_columns});

-- name: replace_grant
-- A grant is taken back.
UPDATE grants SET ({grant_columns}) = ({:grant_columns}) WHERE id = :id;

-- name: grants_of_skill
-- All that a skill was ever granted, oldest first.
SELECT {grant_columns} FROM grants
WHERE skill_id = :skill_id ORDER BY id;
