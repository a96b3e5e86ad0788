-- columns: skill_columns
-- The fields of the record, in their order. The embedding is read apart: it is large.
id, name, scope, category, location, description, state, pinned, disabled, origin, approver,
active_version_id, proven, tags, trigger_conditions, code_template, parameters, test_parameters,
dependencies, pitfalls, success_criteria, usage_count, success_rate, best_efficiency_score,
health_status, needs_rewrite, patch_count, created_at, updated_at, last_used_at

-- name: next_generation
-- Give out the next generation number. The row stays locked until the transaction ends, so numbers
-- become visible in their order and a reader of `skills_since` misses nothing.
UPDATE generation SET value = value + 1 WHERE id = 1 RETURNING value;

-- name: current_generation
-- The generation of the last committed write.
SELECT value FROM generation WHERE id = 1;

-- name: insert_skill
-- A new skill, in its generation.
INSERT INTO skills ({skill_columns}, generation) VALUES ({:skill_columns}, :generation);

-- name: replace_skill
-- Every field anew, in a new generation; the embedding stays.
UPDATE skills SET ({skill_columns}, generation) = ({:skill_columns}, :generation) WHERE id = :id;

-- name: get_skill
-- One skill by its id.
SELECT {skill_columns} FROM skills WHERE id = :id;

-- name: skill_named
-- The one skill of this name in its scope.
SELECT {skill_columns} FROM skills
WHERE name = :name AND scope = :scope;

-- name: all_skills
-- Every skill, in an order that does not change from call to call.
SELECT {skill_columns} FROM skills
ORDER BY scope, name;

-- name: skill_lines
-- What a list shows, with the number of the live version, in the order of `all_skills`.
SELECT skills.name, skills.scope, skills.category, skills.state, versions.number, skills.origin,
    skills.pinned, skills.disabled, skills.proven, skills.description
FROM skills LEFT JOIN versions ON versions.id = skills.active_version_id
ORDER BY skills.scope, skills.name;

-- name: skills_since
-- What was written after a generation; the index spares the rest.
SELECT {skill_columns} FROM skills
WHERE generation > :generation ORDER BY generation;

-- name: set_embedding
-- The vector and the hash of its text, in a new generation; `updated_at` tells of the skill itself
-- and stays.
UPDATE skills SET embedding = :embedding, embedding_text_hash = :text_hash, generation = :generation
WHERE id = :id;

-- name: page_embeddings
-- Vectors by pages, so that a large library is never in memory at once.
SELECT id, embedding_text_hash, embedding FROM skills
WHERE embedding IS NOT NULL AND id > :after ORDER BY id LIMIT :limit;

-- name: skills_ahead
-- Skills whose generation the counter has not given out yet.
SELECT id, generation FROM skills WHERE generation > :generation ORDER BY id;
