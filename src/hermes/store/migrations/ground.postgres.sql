-- What a PostgreSQL needs before the first migration: a schema of our own beside other programs'
-- tables, the version row, and the type names that the shared migrations use.
CREATE SCHEMA IF NOT EXISTS hermes;
CREATE EXTENSION IF NOT EXISTS vector SCHEMA public;

-- SQLite compares text byte by byte; a locale's order would page and sort differently.
CREATE DOMAIN exact_text AS text COLLATE "C";
CREATE DOMAIN blob AS bytea;

CREATE TABLE schema_version (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    version BIGINT NOT NULL
);
INSERT INTO schema_version (id, version) VALUES (1, 0);
