-- name: count_everything
-- A home in figures, in one look. Sessions that look back at another are reviews of it, counted
-- apart and nowhere else.
SELECT 'sessions', COUNT(*) FROM sessions WHERE source <> 'hermes-review'
UNION ALL SELECT 'tasks', COUNT(*) FROM tasks WHERE NOT EXISTS (
    SELECT 1 FROM sessions WHERE sessions.id = session_id AND source = 'hermes-review'
)
UNION ALL SELECT 'trajectories', COUNT(*) FROM trajectories WHERE NOT EXISTS (
    SELECT 1 FROM sessions WHERE sessions.id = session_id AND source = 'hermes-review'
)
UNION ALL SELECT 'observations', COUNT(*) FROM observations
UNION ALL SELECT 'examples', COUNT(*) FROM examples
UNION ALL SELECT 'patterns', COUNT(*) FROM patterns
UNION ALL SELECT 'skills_live', COUNT(*) FROM skills WHERE active_version_id IS NOT NULL
UNION ALL SELECT 'drafts_waiting', COUNT(*) FROM versions WHERE state = 'awaiting_review'
UNION ALL SELECT 'memories', COUNT(*) FROM memories
UNION ALL SELECT 'uses', COUNT(*) FROM uses
UNION ALL SELECT 'reviews', COUNT(*) FROM sessions WHERE source = 'hermes-review';
