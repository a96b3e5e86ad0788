"""Raises its own limits."""

import os
import resource

from prelude import escaped, held, must_fail

for name in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU):
    _, hard = resource.getrlimit(name)
    try:
        resource.setrlimit(name, (hard + 1, hard + 1))
    except ValueError:
        continue
    escaped("a limit was raised")
must_fail(os.nice, -5)
held()
