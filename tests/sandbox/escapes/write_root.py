"""Puts a file in the root folder.

tells: write /planted
"""

from prelude import held, must_fail

must_fail(open, "/planted", "w")
held()
