-- columns: release_columns
-- The fields of the record, in their order.
id, skill_id, version_id, previous_version_id, state, share, approval, released_at, ended_at,
end_reason

-- name: insert_release
-- A version goes live; a second active one of its skill is refused by the index.
INSERT INTO releases ({release_columns}) VALUES ({:release_columns});

-- name: replace_release
-- A release moves from canary to active, or ends.
UPDATE releases SET ({release_columns}) = ({:release_columns}) WHERE id = :id;

-- name: get_release
-- One release by its id.
SELECT {release_columns} FROM releases WHERE id = :id;

-- name: current_release
-- What is live: the active release, or the canary where there is no active one.
SELECT {release_columns} FROM releases
WHERE skill_id = :skill_id AND state IN ('active', 'canary')
ORDER BY CASE state WHEN 'active' THEN 0 ELSE 1 END, id DESC LIMIT 1;

-- name: releases_of_skill
-- All releases of a skill, oldest first.
SELECT {release_columns} FROM releases
WHERE skill_id = :skill_id ORDER BY id;

-- name: page_releases
-- All releases by pages, oldest first.
SELECT {release_columns} FROM releases
WHERE id > :after ORDER BY id LIMIT :limit;
