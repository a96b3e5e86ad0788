-- name: table_names
-- The tables that are there; an earlier schema has fewer.
SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'
ORDER BY name;

-- name: column_names
-- The columns of a table, in an order that both databases agree on.
SELECT name FROM pragma_table_info(:table) ORDER BY name;

-- name: own_problems
-- What SQLite finds wrong with its pages and indexes; `ok` is not a problem.
PRAGMA integrity_check;
