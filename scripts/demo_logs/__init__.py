"""The sessions behind the demo: what was asked, what was run, and how two agents log it."""
