"""Overwrites a file of the host by its path.

tells: write .*canary.*
"""

from prelude import HOST, held, must_fail

must_fail(open, HOST["canary"], "w")
held()
