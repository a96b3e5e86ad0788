-- columns: trajectory_columns
-- The fields of the record, in their order.
id, task_id, session_id, state, model, started_at, ended_at, summary

-- name: insert_trajectory
-- An execution begins.
INSERT INTO trajectories ({trajectory_columns}) VALUES ({:trajectory_columns});

-- name: put_trajectory
-- A finished run of another agent; the same log read again takes the place of the earlier reading.
INSERT INTO trajectories ({trajectory_columns}) VALUES ({:trajectory_columns})
ON CONFLICT (id) DO UPDATE SET ({trajectory_columns}) = ({:trajectory_columns});

-- name: end_trajectory
-- Close it; one that is not open is left alone, and the caller is told.
UPDATE trajectories SET ({trajectory_columns}) = ({:trajectory_columns})
WHERE id = :id AND state = 'open';

-- name: get_trajectory
-- One trajectory by its id.
SELECT {trajectory_columns} FROM trajectories WHERE id = :id;

-- name: page_trajectories
-- All trajectories by pages, oldest first.
SELECT {trajectory_columns} FROM trajectories
WHERE id > :after ORDER BY id LIMIT :limit;

-- name: any_open_trajectory
-- Whether an agent is at work now.
SELECT 1 FROM trajectories WHERE state = 'open' LIMIT 1;

-- name: delete_trajectory
-- The head, after everything that hangs on it.
DELETE FROM trajectories WHERE id = :id;

-- name: delete_steps_of
-- The steps of a trajectory that is to be forgotten.
DELETE FROM steps WHERE trajectory_id = :id;

-- name: delete_observation_of
-- Our reading of a trajectory that is to be forgotten.
DELETE FROM observations WHERE trajectory_id = :id;

-- name: delete_feedback_of
-- Corrections may quote what is to be forgotten.
DELETE FROM feedback WHERE trajectory_id = :id;

-- name: delete_outbox_of
-- Nothing is left to learn from.
DELETE FROM outbox WHERE trajectory_id = :id;
