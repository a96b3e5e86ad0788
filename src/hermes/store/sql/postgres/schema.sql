-- name: table_names
-- The tables that are there; an earlier schema has fewer.
SELECT tablename FROM pg_tables
WHERE schemaname = 'hermes' AND tablename <> 'schema_version' ORDER BY tablename;

-- name: column_names
-- The columns of a table, in an order that both databases agree on.
SELECT CAST(column_name AS text) AS name FROM information_schema.columns
WHERE table_schema = 'hermes' AND table_name = :table ORDER BY CAST(column_name AS text) COLLATE "C";

-- name: own_problems
-- Indexes and constraints that PostgreSQL does not vouch for.
SELECT 'the index ' || relname || ' is invalid' FROM pg_index
JOIN pg_class ON pg_class.oid = indexrelid
WHERE NOT indisvalid AND relnamespace = to_regnamespace('hermes')
UNION ALL
SELECT 'the constraint ' || conname || ' was never validated' FROM pg_constraint
WHERE NOT convalidated AND connamespace = to_regnamespace('hermes');
