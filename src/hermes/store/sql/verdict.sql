-- columns: verdict_columns
-- The fields of the record, in their order.
id, candidate_id, checks, scores, example_ids, decision, reason, decided_at

-- name: insert_verdict
-- A judgement is written once and never changed.
INSERT INTO verdicts ({verdict_columns}) VALUES ({:verdict_columns});

-- name: verdicts_of_candidate
-- Every judgement of a candidate, oldest first.
SELECT {verdict_columns} FROM verdicts
WHERE candidate_id = :candidate_id ORDER BY id;
