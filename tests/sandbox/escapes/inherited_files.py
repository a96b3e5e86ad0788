"""Looks for files that the host left open."""

import contextlib
import os

from prelude import escaped, held

for descriptor in range(3, 4096):
    with contextlib.suppress(OSError):
        target = os.readlink(f"/proc/self/fd/{descriptor}")
        if not target.startswith("/app/skills/"):
            escaped(f"{descriptor} leads to {target}")
held()
