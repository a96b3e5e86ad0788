-- columns: event_columns
-- The fields of the record, in their order.
seq, at, kind, actor, skill_id, subject_id, data, previous, hash

-- name: hold_trail
-- One writer of the trail at a time: on SQLite the transaction is that already.
SELECT value FROM generation WHERE id = 1;

-- name: last_event
-- The line that the next one carries the hash of.
SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1;

-- name: insert_event
-- One more line; triggers refuse any other write.
INSERT INTO events ({event_columns}) VALUES ({:event_columns});

-- name: page_events
-- The trail by pages, oldest first.
SELECT {event_columns} FROM events
WHERE seq > :after ORDER BY seq LIMIT :limit;

-- name: page_events_of_skill
-- One skill's part of the trail by pages, oldest first.
SELECT {event_columns} FROM events
WHERE skill_id = :skill_id AND seq > :after ORDER BY seq LIMIT :limit;

-- name: latest_events
-- The end of the trail, newest first.
SELECT {event_columns} FROM events
ORDER BY seq DESC LIMIT :limit;

-- name: latest_events_of_skill
-- The end of one skill's part of the trail, newest first.
SELECT {event_columns} FROM events
WHERE skill_id = :skill_id ORDER BY seq DESC LIMIT :limit;
