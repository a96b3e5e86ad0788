"""Remembering: what is worth keeping, what it replaces, and whom it may speak for. Pure."""
