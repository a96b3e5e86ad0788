-- columns: change_columns
-- The fields of the record, in their order.
id, skill_id, act, reason, version_id, approval, at

-- name: insert_change
-- An act on a skill is written once and never changed.
INSERT INTO changes ({change_columns}) VALUES ({:change_columns});

-- name: changes_of_skill
-- The acts on a skill, oldest first.
SELECT {change_columns} FROM changes
WHERE skill_id = :skill_id ORDER BY id;
