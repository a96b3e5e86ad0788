-- name: tokens_of_source
-- What the runs of one agent took, as their steps tell it.
SELECT SUM(CAST(CAST(steps.metadata AS JSONB) ->> 'tokens' AS BIGINT)) FROM steps
JOIN trajectories ON trajectories.id = steps.trajectory_id
JOIN sessions ON sessions.id = trajectories.session_id
WHERE sessions.source = :source;
