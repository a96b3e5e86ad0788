"""Fills the temporary folder.

killed_by: memory?
limits: memory_bytes=100000000 seconds=20
"""

import errno

from prelude import escaped, held

try:
    for number in range(1000):
        with open(f"/tmp/{number}", "wb") as file:
            file.write(b"x" * (4 << 20))
except OSError as error:
    if error.errno != errno.ENOSPC:
        raise
    held()
else:
    escaped("4 GB went to /tmp")
