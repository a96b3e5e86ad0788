"""How a finished trajectory is read: did it succeed, what went wrong, what is there to learn."""
