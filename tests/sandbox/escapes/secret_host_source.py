"""Searches the file system for that program.

limits: cpu_seconds=60 seconds=60
"""

import os

from prelude import HOST, escaped, held

DULL = ("/proc", "/usr/share", "/usr/include", "/usr/src")
for place, folders, _ in os.walk("/"):
    folders[:] = [name for name in folders if os.path.join(place, name) not in DULL]
    if place.endswith(("/hermes/sandbox", "/hermes_loop")) or place.startswith(HOST["home"] + "/"):
        escaped(place)
held()
