-- columns: intent_columns
-- The fields of the record, in their order.
id, home, skill_id, location, old_tree, new_tree, new_version_id, work, created_at

-- name: insert_intent
-- What is about to happen to a folder, before it happens.
INSERT INTO journal ({intent_columns}) VALUES ({:intent_columns});

-- name: delete_intent
-- It happened, and the store says so.
DELETE FROM journal WHERE id = :id;

-- name: pending_intents
-- What a home has begun and not finished, oldest first.
SELECT {intent_columns} FROM journal
WHERE home = :home ORDER BY id;

-- name: pending_intents_of_skill
-- The same for one skill.
SELECT {intent_columns} FROM journal
WHERE home = :home AND skill_id = :skill_id ORDER BY id;
