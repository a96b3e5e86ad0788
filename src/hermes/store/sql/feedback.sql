-- columns: feedback_columns
-- The fields of the record, in their order.
id, trajectory_id, rating, correction, by, at

-- name: insert_feedback
-- What a person said is written once and never changed.
INSERT INTO feedback ({feedback_columns}) VALUES ({:feedback_columns});

-- name: feedback_of_trajectory
-- What people said of a trajectory, oldest first.
SELECT {feedback_columns} FROM feedback
WHERE trajectory_id = :trajectory_id ORDER BY id;
