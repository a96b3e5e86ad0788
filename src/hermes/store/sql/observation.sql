-- columns: observation_columns
-- The fields of the record, in their order.
id, trajectory_id, success, success_source, confidence, efficiency_score, error_recovery,
learning_value, key_insights, created_at

-- name: put_observation
-- One reading per trajectory: a later one takes the place of the earlier.
INSERT INTO observations ({observation_columns}) VALUES ({:observation_columns})
ON CONFLICT (trajectory_id) DO UPDATE SET ({observation_columns}) = ({:observation_columns});

-- name: observation_of_trajectory
-- Our reading of a trajectory.
SELECT {observation_columns} FROM observations
WHERE trajectory_id = :trajectory_id;

-- name: failed_observations
-- The readings that came to a failure, latest first.
SELECT {observation_columns} FROM observations
WHERE success = 0 ORDER BY id DESC LIMIT :limit;
