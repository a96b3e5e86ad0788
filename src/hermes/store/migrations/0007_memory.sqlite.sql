-- Which memories have a term, and how often. The key is the table: there is nothing besides.
CREATE TABLE memory_postings (
    term_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    occurrences BIGINT NOT NULL,
    PRIMARY KEY (term_id, number)
) WITHOUT ROWID;

-- Vectors are little-endian float32, as the embedder gives them. One a memory: another embedder's
-- takes its place.
CREATE TABLE memory_vectors (
    number BIGINT PRIMARY KEY,
    scope EXACT_TEXT NOT NULL,
    kind EXACT_TEXT NOT NULL,
    embedder EXACT_TEXT NOT NULL,
    generation BIGINT NOT NULL,
    embedding BLOB NOT NULL
);
CREATE INDEX memory_vectors_by_generation ON memory_vectors (scope, embedder, generation);
