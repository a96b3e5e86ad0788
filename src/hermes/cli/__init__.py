"""The command line. `main` chooses, a command's own file works, `Output` shows."""
