-- Which memories have a term, and how often.
CREATE TABLE memory_postings (
    term_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    occurrences BIGINT NOT NULL,
    PRIMARY KEY (term_id, number) INCLUDE (occurrences)
);

-- No fixed length: another embedder may have other dimensions. The index over the vectors of one
-- embedder is made when it is first used, for it needs to know them.
CREATE TABLE memory_vectors (
    number BIGINT PRIMARY KEY,
    scope EXACT_TEXT NOT NULL,
    kind EXACT_TEXT NOT NULL,
    embedder EXACT_TEXT NOT NULL,
    generation BIGINT NOT NULL,
    embedding vector NOT NULL
);
CREATE INDEX memory_vectors_by_generation ON memory_vectors (scope, embedder, generation);
