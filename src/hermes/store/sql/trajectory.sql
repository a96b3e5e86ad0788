-- columns: trajectory_columns
-- The fields of the record, in their order.
id, task_id, session_id, state, model, started_at, ended_at, summary

-- name: insert_trajectory
-- An execution begins.
INSERT INTO trajectories ({trajectory_columns}) VALUES ({:trajectory_columns});

-- name: put_trajectory
-- A finished run of another agent; the same log read again takes the place of the earlier reading,
-- and has to be indexed again.
INSERT INTO trajectories ({trajectory_columns}) VALUES ({:trajectory_columns})
ON CONFLICT (id) DO UPDATE SET ({trajectory_columns}, indexed) = ({:trajectory_columns}, 0);

-- name: end_trajectory
-- Close it; one that is not open is left alone, and the caller is told.
UPDATE trajectories SET ({trajectory_columns}) = ({:trajectory_columns})
WHERE id = :id AND state = 'open';

-- name: reopen_trajectory
-- A follow-up takes it up again; what the index has of it is no longer all of it.
UPDATE trajectories SET ({trajectory_columns}, indexed) = ({:trajectory_columns}, 0)
WHERE id = :id AND state <> 'open';

-- name: get_trajectory
-- One trajectory by its id.
SELECT {trajectory_columns} FROM trajectories WHERE id = :id;

-- name: page_trajectories
-- All trajectories by pages, oldest first.
SELECT {trajectory_columns} FROM trajectories
WHERE id > :after ORDER BY id LIMIT :limit;

-- name: page_work
-- The same without looks back at others: what can be learned from.
SELECT {trajectory_columns} FROM trajectories
WHERE id > :after AND NOT EXISTS (
    SELECT 1 FROM sessions WHERE sessions.id = session_id AND source = 'hermes-review'
)
ORDER BY id LIMIT :limit;

-- name: trajectories_of_session
-- What was done in one conversation, in its order.
SELECT {trajectory_columns} FROM trajectories
WHERE session_id = :session_id ORDER BY id;

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

-- name: delete_task_without_runs
-- What was asked goes with its last run; what a figure still counts is kept, see below.
DELETE FROM tasks WHERE id = :task_id
AND NOT EXISTS (SELECT 1 FROM trajectories WHERE task_id = :task_id)
AND NOT EXISTS (SELECT 1 FROM uses WHERE task_id = :task_id);

-- name: blank_task_without_runs
-- A use counts this task: the row stays for the figure, its words and files do not.
UPDATE tasks SET text = '', inputs = '[]' WHERE id = :task_id
AND NOT EXISTS (SELECT 1 FROM trajectories WHERE task_id = :task_id);

-- name: page_artefacts
-- What the steps read and wrote, by pages.
SELECT trajectory_id, step_id, artefacts FROM steps
WHERE (trajectory_id, step_id) > (:trajectory_id, :step_id) AND artefacts <> '[]'
ORDER BY trajectory_id, step_id LIMIT :limit;

-- name: page_inputs
-- What the tasks were given, by pages.
SELECT id, inputs FROM tasks WHERE id > :after AND inputs <> '[]' ORDER BY id LIMIT :limit;
