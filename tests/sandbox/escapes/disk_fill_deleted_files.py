"""Fills the disk with files that no listing shows.

killed_by: disk
limits: disk_bytes=64000000 seconds=20
"""

import itertools
import os

hoard = []
for number in itertools.count():
    file = open(f"/app/data/{number}", "wb")  # noqa: SIM115
    os.unlink(file.name)
    file.write(b"x" * (8 << 20))
    hoard.append(file)
