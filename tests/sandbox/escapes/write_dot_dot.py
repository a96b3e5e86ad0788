"""Climbs out of the writable folder.

tells: write .*canary.*
"""

from prelude import HOST, held, must_fail

must_fail(open, "/app/data/../../../../../.." + HOST["canary"], "w")
held()
