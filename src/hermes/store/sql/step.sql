-- columns: step_columns
-- The fields of the record, in their order.
step_id, type, content, timestamp, metadata, artefacts

-- name: append_step
-- One statement, so one sync: the step goes in only if the trajectory is open and it is the next.
INSERT INTO steps (trajectory_id, {step_columns})
SELECT id, {:step_columns} FROM trajectories
WHERE id = :trajectory_id AND state = 'open' AND :step_id = (
    SELECT COALESCE(MAX(step_id), 0) + 1 FROM steps WHERE trajectory_id = :trajectory_id
);

-- name: insert_step
-- One of the steps of a run that is kept as a whole, after those of an earlier reading went.
INSERT INTO steps (trajectory_id, {step_columns}) VALUES (:trajectory_id, {:step_columns});

-- name: last_step
-- To say which step was expected.
SELECT COALESCE(MAX(step_id), 0) FROM steps WHERE trajectory_id = :trajectory_id;

-- name: steps_of
-- A trajectory's steps in their order.
SELECT {step_columns} FROM steps
WHERE trajectory_id = :trajectory_id ORDER BY step_id;

-- name: uneven_steps
-- Trajectories whose steps do not count from 1 without gaps.
SELECT trajectory_id, COUNT(*), MAX(step_id) FROM steps
GROUP BY trajectory_id HAVING COUNT(*) <> MAX(step_id) ORDER BY trajectory_id;
