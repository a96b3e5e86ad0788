"""Fills the disk with large files.

killed_by: disk
limits: disk_bytes=64000000 seconds=20
"""

import itertools

for number in itertools.count():
    with open(f"/app/data/{number}", "wb") as file:
        file.write(b"x" * (8 << 20))
