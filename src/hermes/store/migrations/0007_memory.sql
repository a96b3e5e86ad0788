-- Memory that can be searched: what each item is about by its words and by its meaning.

ALTER TABLE memories ADD COLUMN session_id EXACT_TEXT;
ALTER TABLE memories ADD COLUMN waiting BIGINT NOT NULL DEFAULT 0 CHECK (waiting IN (0, 1));
ALTER TABLE memories ADD COLUMN approved_by EXACT_TEXT;

-- `number` is what postings and vectors call a memory: short, and in the order of arrival. It is a
-- value of the library's generation counter, so it is given out once. `terms`, `length` and
-- `fingerprint` come from the text; where they are missing it has not been indexed yet.
ALTER TABLE memories ADD COLUMN number BIGINT;
ALTER TABLE memories ADD COLUMN generation BIGINT NOT NULL DEFAULT 0;
ALTER TABLE memories ADD COLUMN terms EXACT_TEXT;
ALTER TABLE memories ADD COLUMN length BIGINT;
ALTER TABLE memories ADD COLUMN fingerprint EXACT_TEXT;

UPDATE memories SET number = (SELECT value FROM generation WHERE id = 1)
    + (SELECT COUNT(*) FROM memories AS earlier WHERE earlier.id <= memories.id);
UPDATE memories SET generation = number;
UPDATE generation SET value = value + (SELECT COUNT(*) FROM memories) WHERE id = 1;

CREATE UNIQUE INDEX memories_by_number ON memories (number);
CREATE INDEX memories_by_generation ON memories (scope, generation);
CREATE INDEX memories_by_fingerprint ON memories (scope, fingerprint);
CREATE INDEX memories_unindexed ON memories (number) WHERE terms IS NULL;

-- How many memories of a scope have a term. The id is a hash of both, so that postings are short
-- and nobody has to look one up to write another.
CREATE TABLE memory_terms (
    id BIGINT PRIMARY KEY,
    scope EXACT_TEXT NOT NULL,
    term EXACT_TEXT NOT NULL,
    documents BIGINT NOT NULL
);

-- A forgotten memory leaves its number, so that a process that knew it drops it too.
CREATE TABLE memories_gone (
    number BIGINT PRIMARY KEY,
    scope EXACT_TEXT NOT NULL,
    generation BIGINT NOT NULL
);
CREATE INDEX memories_gone_by_generation ON memories_gone (scope, generation);

-- What happened how often: added, merged, refused, recalled and so on.
CREATE TABLE memory_tallies (
    scope EXACT_TEXT NOT NULL,
    name EXACT_TEXT NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (scope, name)
);
