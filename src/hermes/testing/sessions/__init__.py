"""Sessions that really happened, written down as the log of any agent."""
