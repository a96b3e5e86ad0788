-- columns: pattern_columns
-- The fields of the record, in their order.
id, intent, example_ids, reason, created_at, updated_at

-- name: put_pattern
-- A pattern grows as examples join it.
INSERT INTO patterns ({pattern_columns}) VALUES ({:pattern_columns})
ON CONFLICT (id) DO UPDATE SET ({pattern_columns}) = ({:pattern_columns});

-- name: get_pattern
-- One pattern by its id.
SELECT {pattern_columns} FROM patterns WHERE id = :id;

-- name: page_patterns
-- All patterns by pages, oldest first.
SELECT {pattern_columns} FROM patterns
WHERE id > :after ORDER BY id LIMIT :limit;

-- name: delete_pattern
-- Its examples went over to another pattern.
DELETE FROM patterns WHERE id = :id;
