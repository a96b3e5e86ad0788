-- name: save_cluster
-- How many members a cluster has, and the sum of their vectors.
INSERT INTO clusters (id, embedder, size, total) VALUES (:id, :embedder, :size, :total)
ON CONFLICT (id) DO UPDATE SET embedder = :embedder, size = :size, total = :total;

-- name: drop_cluster
-- It was merged into another, or its last member is gone.
DELETE FROM clusters WHERE id = :id;

-- name: all_clusters
-- Every cluster of one embedder, oldest first: what a newcomer is compared with.
SELECT id, size, total FROM clusters WHERE embedder = :embedder ORDER BY id;

-- name: put_placement
-- Where an example lies, and the vector it was placed by.
INSERT INTO placements (example_id, cluster_id, vector) VALUES (:example_id, :cluster_id, :vector)
ON CONFLICT (example_id) DO UPDATE SET cluster_id = :cluster_id, vector = :vector;

-- name: move_placement
-- An example goes over to another cluster.
UPDATE placements SET cluster_id = :cluster_id WHERE example_id = :example_id;

-- name: placements_of_cluster
-- The members of a cluster, oldest first.
SELECT example_id, vector FROM placements WHERE cluster_id = :cluster_id ORDER BY example_id;

-- name: placement_of_example
-- The cluster of an example and its vector.
SELECT cluster_id, vector FROM placements WHERE example_id = :example_id;

-- name: drop_foreign_placements
-- What another embedder placed cannot be compared with what this one makes.
DELETE FROM placements
WHERE cluster_id IN (SELECT id FROM clusters WHERE embedder <> :embedder);

-- name: drop_foreign_clusters
-- The clusters themselves, once nothing lies in them.
DELETE FROM clusters WHERE embedder <> :embedder;
