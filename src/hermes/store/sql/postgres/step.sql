-- name: append_step
-- As on SQLite, and the trajectory's row is held: nobody ends it between the look and the write.
INSERT INTO steps (trajectory_id, {step_columns})
SELECT id, {:step_columns} FROM trajectories
WHERE id = :trajectory_id AND state = 'open' AND :step_id = (
    SELECT COALESCE(MAX(step_id), 0) + 1 FROM steps WHERE trajectory_id = :trajectory_id
) FOR SHARE;
