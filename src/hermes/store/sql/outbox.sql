-- name: insert_outbox
-- Left in the transaction that ends a trajectory, so that learning is never forgotten.
INSERT INTO outbox (trajectory_id, ended_at) VALUES (:id, :ended_at);

-- name: put_outbox
-- A kept run is to be learned from, also when an earlier reading of it still waits.
INSERT INTO outbox (trajectory_id, ended_at) VALUES (:id, :ended_at)
ON CONFLICT (trajectory_id) DO UPDATE SET ended_at = :ended_at;

-- name: pending_outbox
-- What no worker has taken up yet, longest waiting first.
SELECT trajectory_id FROM outbox ORDER BY ended_at, trajectory_id LIMIT :limit;

-- name: delete_outbox
-- A worker has it now; doing this twice is harmless.
DELETE FROM outbox WHERE trajectory_id = :trajectory_id;
