"""observe: outcome signals, error recovery, efficiency, learning value."""
