-- columns: example_columns
-- The fields of the record, in their order.
id, trajectory_id, task, status, environment, inputs, tools_used, expected_output, notes,
reviewer, reviewed_at, created_at

-- name: insert_example
-- A trajectory is kept as source material.
INSERT INTO examples ({example_columns}) VALUES ({:example_columns});

-- name: replace_example
-- A review, or a later one: examples are re-reviewable for ever.
UPDATE examples SET ({example_columns}) = ({:example_columns}) WHERE id = :id;

-- name: get_example
-- One example by its id.
SELECT {example_columns} FROM examples WHERE id = :id;

-- name: page_examples
-- All examples by pages, oldest first.
SELECT {example_columns} FROM examples
WHERE id > :after ORDER BY id LIMIT :limit;

-- name: page_examples_of_status
-- The examples of one status by pages, oldest first.
SELECT {example_columns} FROM examples
WHERE status = :status AND id > :after ORDER BY id LIMIT :limit;
