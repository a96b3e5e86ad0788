"""What is live is watched: health now; uses and rewrites join here later."""
