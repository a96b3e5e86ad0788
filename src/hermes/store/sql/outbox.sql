-- columns: waiting_columns
-- The fields of the record, in their order.
trajectory_id, ended_at, reviews

-- name: put_outbox
-- Left in the transaction that ends a trajectory, so that learning is never forgotten, also when an
-- earlier end of it still waits.
INSERT INTO outbox ({waiting_columns}) VALUES ({:waiting_columns})
ON CONFLICT (trajectory_id) DO UPDATE SET ended_at = :ended_at, reviews = :reviews;

-- name: get_outbox
-- What still waits of one run.
SELECT {waiting_columns} FROM outbox WHERE trajectory_id = :id;

-- name: pending_outbox
-- What is not done yet, longest waiting first. A run that goes on waits for its next end.
SELECT {waiting_columns} FROM outbox
WHERE trajectory_id NOT IN (SELECT id FROM trajectories WHERE state = 'open')
ORDER BY ended_at, trajectory_id LIMIT :limit;

-- name: count_outbox
-- How much waits.
SELECT COUNT(*) FROM outbox
WHERE trajectory_id NOT IN (SELECT id FROM trajectories WHERE state = 'open');

-- name: delete_outbox
-- What was to be done about this end of the run is done; doing this twice is harmless.
DELETE FROM outbox WHERE trajectory_id = :trajectory_id AND ended_at = :ended_at;

-- name: outbox_learned
-- Somebody learned from this run in the foreground; a review that was asked for is still to come.
DELETE FROM outbox WHERE trajectory_id = :id AND reviews = '[]';
