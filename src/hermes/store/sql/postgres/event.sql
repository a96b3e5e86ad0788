-- name: hold_trail
-- One writer of the trail at a time. It is the row that `next_generation` locks too: two locks
-- taken in different orders could wait for each other for ever.
SELECT value FROM generation WHERE id = 1 FOR UPDATE;
