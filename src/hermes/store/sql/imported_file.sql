-- columns: imported_file_columns
-- The fields of the record, in their order.
path, size, mtime_ns, head, how, sessions, tasks, steps, problems, imported_at

-- name: put_imported_file
-- Written in the transaction that keeps the last of what the file said.
INSERT INTO imported_files ({imported_file_columns}) VALUES ({:imported_file_columns})
ON CONFLICT (path) DO UPDATE SET ({imported_file_columns}) = ({:imported_file_columns});

-- name: get_imported_file
-- What is known of one file.
SELECT {imported_file_columns} FROM imported_files WHERE path = :path;
