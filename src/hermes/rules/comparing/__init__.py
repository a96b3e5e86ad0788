"""Whether a replayed result is the recorded one, and where the two first differ."""
