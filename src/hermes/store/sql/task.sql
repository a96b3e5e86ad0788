-- columns: task_columns
-- The fields of the record, in their order.
id, session_id, text, inputs, environment, scope, created_at

-- name: insert_task
-- What was asked here is written once and never changed.
INSERT INTO tasks ({task_columns}) VALUES ({:task_columns});

-- name: put_task
-- A log that has grown may show more of what an imported task was given.
INSERT INTO tasks ({task_columns}) VALUES ({:task_columns})
ON CONFLICT (id) DO UPDATE SET ({task_columns}) = ({:task_columns});

-- name: get_task
-- One task by its id.
SELECT {task_columns} FROM tasks WHERE id = :id;

-- name: tasks_of_session
-- What was asked in a session, in its order.
SELECT {task_columns} FROM tasks
WHERE session_id = :session_id ORDER BY id;
