"""Past work: how a run is cut into passages, and how a passage that was found is shown. Pure."""
