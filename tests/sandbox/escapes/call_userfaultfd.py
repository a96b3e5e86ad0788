"""Holds the kernel up in the middle of a copy.

tells: call userfaultfd
"""

from prelude import held, must_be_refused

must_be_refused("userfaultfd", 0)
held()
