"""Replaces a program that everybody runs.

tells: write /usr/bin/planted
"""

from prelude import held, must_fail

must_fail(open, "/usr/bin/env", "r+b")
must_fail(open, "/usr/bin/planted", "w")
held()
