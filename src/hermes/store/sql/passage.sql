-- name: page_due_passages
-- Ended runs that the index has not, or in an older form; the newest first. A look back at other
-- work is not work.
SELECT id FROM trajectories
WHERE indexed < :form AND state <> 'open' AND NOT EXISTS (
    SELECT 1 FROM sessions WHERE sessions.id = session_id AND source = 'hermes-review'
)
ORDER BY id DESC LIMIT :limit;

-- name: count_due_passages
-- How many those are.
SELECT COUNT(*) FROM trajectories
WHERE indexed < :form AND state <> 'open' AND NOT EXISTS (
    SELECT 1 FROM sessions WHERE sessions.id = session_id AND source = 'hermes-review'
);

-- name: set_indexed
-- A run is in the index, in this form.
UPDATE trajectories SET indexed = :form WHERE id = :id;

-- name: renew_passages
-- What the index holds of a run is damaged; the run itself is not.
UPDATE trajectories SET indexed = 0
WHERE id = (SELECT trajectory_id FROM passages WHERE number = :number);

-- name: whose_run
-- Whose a run is, and which agent did it.
SELECT tasks.scope, COALESCE(sessions.source, 'hermes'), trajectories.started_at
FROM trajectories JOIN tasks ON tasks.id = trajectories.task_id
LEFT JOIN sessions ON sessions.id = trajectories.session_id
WHERE trajectories.id = :id;

-- name: insert_passages
-- The passages of a run, after those of an earlier reading went.
INSERT INTO passages (trajectory_id, number, scope, agent, started_at, places, words)
VALUES (:trajectory_id, :number, :scope, :agent, :started_at, :places, :words);

-- name: passages_place
-- Where a run is in the index.
SELECT number, scope FROM passages WHERE trajectory_id = :id;

-- name: delete_passages_of
-- The words of a run no longer lead to it.
DELETE FROM passages WHERE trajectory_id = :id;

-- name: delete_passage_vectors_of
-- Nothing of its meaning stays.
DELETE FROM passage_vectors WHERE trajectory_id = :id;

-- name: leave_passages_number
-- The number of what is gone, so that other processes drop it too.
INSERT INTO passages_gone (number, scope, generation) VALUES (:number, :scope, :generation);

-- name: passages_since
-- What a scope has in the index from a number on, by pages.
SELECT number, trajectory_id, agent, started_at, places, words FROM passages
WHERE scope = :scope AND number > :number ORDER BY number LIMIT :limit;

-- name: passages_of_run
-- The passages of one run: its number, where they are, and their words.
SELECT number, trajectory_id, agent, started_at, places, words FROM passages
WHERE trajectory_id = :id;

-- name: passages_gone_since
-- What was forgotten after a generation.
SELECT number FROM passages_gone
WHERE scope = :scope AND generation > :generation ORDER BY number;

-- name: put_passage_vectors
-- What a run means to an embedder, in the place of what it meant to another.
INSERT INTO passage_vectors (trajectory_id, number, scope, embedder, generation, vectors)
VALUES (:trajectory_id, :number, :scope, :embedder, :generation, :vectors)
ON CONFLICT (trajectory_id) DO UPDATE SET number = :number, scope = :scope, embedder = :embedder,
    generation = :generation, vectors = :vectors;

-- name: passage_vectors_since
-- The vectors of a scope that were written after a generation, by pages.
SELECT number, vectors, generation FROM passage_vectors
WHERE scope = :scope AND embedder = :embedder
    AND (generation > :generation OR (generation = :generation AND number > :number))
ORDER BY generation, number LIMIT :limit;

-- name: page_unembedded_passages
-- Runs that this embedder has not read yet, the newest first.
SELECT trajectory_id FROM passages
WHERE NOT EXISTS (
    SELECT 1 FROM passage_vectors
    WHERE passage_vectors.trajectory_id = passages.trajectory_id AND embedder = :embedder
) ORDER BY trajectory_id DESC LIMIT :limit;

-- name: what_was_asked
-- The session of a run, and its request.
SELECT trajectories.session_id, tasks.text
FROM trajectories JOIN tasks ON tasks.id = trajectories.task_id WHERE trajectories.id = :id;

-- name: one_step
-- One step of a trajectory.
SELECT {step_columns} FROM steps WHERE trajectory_id = :trajectory_id AND step_id = :step_id;

-- name: followed_generation
-- How far something that follows the library has come.
SELECT generation FROM followed WHERE name = :name;

-- name: put_followed
-- It has come this far.
INSERT INTO followed (name, generation) VALUES (:name, :generation)
ON CONFLICT (name) DO UPDATE SET generation = :generation;
