-- columns: use_columns
-- The fields of the record, in their order.
id, skill_id, release_id, task_id, trajectory_id, arm, outcome, reason, seconds, tokens,
assigned_at, settled_at

-- name: insert_use
-- A release, or the control arm, is assigned to a task.
INSERT INTO uses ({use_columns}) VALUES ({:use_columns});

-- name: replace_use
-- The assignment is settled with its outcome.
UPDATE uses SET ({use_columns}) = ({:use_columns}) WHERE id = :id;

-- name: get_use
-- One use by its id.
SELECT {use_columns} FROM uses WHERE id = :id;

-- name: uses_of_release
-- What a release's statistics rest on, oldest first.
SELECT {use_columns} FROM uses
WHERE release_id = :release_id ORDER BY id;

-- name: uses_of_task
-- Which skills a task was given, oldest first.
SELECT {use_columns} FROM uses
WHERE task_id = :task_id ORDER BY id;

-- name: success_shares
-- Of the tasks that went well, the part that was given each skill; a control arm was not.
SELECT skill_id, CAST(COUNT(DISTINCT task_id) AS DOUBLE PRECISION)
    / (SELECT COUNT(DISTINCT task_id) FROM uses WHERE outcome = 'success')
FROM uses WHERE outcome = 'success' AND arm = 'release'
GROUP BY skill_id ORDER BY skill_id;

-- name: use_rates
-- How the settled uses of each skill went; what nobody knows is not counted.
SELECT skill_id, SUM(CASE WHEN outcome = 'success' THEN 1 ELSE 0 END), COUNT(*)
FROM uses WHERE outcome <> 'unknown' AND arm = 'release'
GROUP BY skill_id ORDER BY skill_id;
