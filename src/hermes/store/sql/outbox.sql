-- columns: waiting_columns
-- The fields of the record, in their order.
trajectory_id, ended_at, reviews

-- name: insert_outbox
-- Left in the transaction that ends a trajectory, so that learning is never forgotten.
INSERT INTO outbox ({waiting_columns}) VALUES ({:waiting_columns});

-- name: put_outbox
-- A kept run is to be learned from, also when an earlier reading of it still waits.
INSERT INTO outbox ({waiting_columns}) VALUES ({:waiting_columns})
ON CONFLICT (trajectory_id) DO UPDATE SET ended_at = :ended_at, reviews = :reviews;

-- name: pending_outbox
-- What no worker has taken up yet, longest waiting first.
SELECT {waiting_columns} FROM outbox ORDER BY ended_at, trajectory_id LIMIT :limit;

-- name: count_outbox
-- How much waits.
SELECT COUNT(*) FROM outbox;

-- name: delete_outbox
-- A worker has this end of the run now; doing this twice is harmless.
DELETE FROM outbox WHERE trajectory_id = :trajectory_id AND ended_at = :ended_at;
