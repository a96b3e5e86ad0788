-- name: delete_open_run_of
-- The run has ended, or is to be forgotten.
DELETE FROM open_runs WHERE trajectory_id = :id;

-- name: put_open_run
-- A process begins a run, or takes it up again.
INSERT INTO open_runs (trajectory_id, owner) VALUES (:trajectory_id, :owner)
ON CONFLICT (trajectory_id) DO UPDATE SET owner = :owner;

-- name: open_runs
-- Which runs are open, and whose they are.
SELECT trajectory_id, owner FROM open_runs ORDER BY trajectory_id;

-- name: review_counts
-- What happened in a session since its last review.
SELECT kind, count FROM review_counts WHERE session_id = :session_id ORDER BY kind;

-- name: put_review_count
-- A turn ended: it counts, or the counter begins anew.
INSERT INTO review_counts (session_id, kind, count) VALUES (:session_id, :kind, :count)
ON CONFLICT (session_id, kind) DO UPDATE SET count = :count;

-- name: put_worker
-- A worker begins.
INSERT INTO workers (id, host, beat_at) VALUES (:id, :host, :beat_at)
ON CONFLICT (id) DO UPDATE SET beat_at = :beat_at;

-- name: beat_worker
-- A worker says that it lives; no row says that another took it for dead.
UPDATE workers SET beat_at = :beat_at WHERE id = :id;

-- name: delete_worker
-- It has ended, or was taken over.
DELETE FROM workers WHERE id = :id;

-- name: all_workers
-- Who does background work.
SELECT id, host, beat_at FROM workers ORDER BY id;
