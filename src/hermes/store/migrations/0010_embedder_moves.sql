-- Whose vectors the store has: the last line of the trail that says the embedder was changed.

CREATE INDEX events_of_embedders ON events (seq) WHERE kind = 'embedder.changed';
