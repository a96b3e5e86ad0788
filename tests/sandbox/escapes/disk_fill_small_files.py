"""Fills the disk with more files than it has room for.

killed_by: disk
limits: disk_bytes=3000000 seconds=30
"""

import itertools

for number in itertools.count():
    with open(f"/app/data/{number}", "w"):
        pass
