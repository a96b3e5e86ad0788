-- columns: health_check_columns
-- The fields of the record, in their order.
id, skill_id, version_id, status, error, ran, environment, seconds, checked_at

-- name: insert_health_check
-- The result of a check is written once and never changed.
INSERT INTO health_checks ({health_check_columns}) VALUES ({:health_check_columns});

-- name: health_checks_of_skill
-- The history of a skill's health, oldest first.
SELECT {health_check_columns} FROM health_checks
WHERE skill_id = :skill_id ORDER BY id;

-- name: last_health_check_of_each
-- The newest check of every skill; ids sort by time.
SELECT {health_check_columns} FROM health_checks
WHERE id IN (SELECT MAX(id) FROM health_checks GROUP BY skill_id) ORDER BY id;
