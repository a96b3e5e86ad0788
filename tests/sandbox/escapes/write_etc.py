"""Adds a user to the system.

tells: write /etc/passwd
"""

from prelude import held, must_fail

must_fail(open, "/etc/passwd", "a")
held()
