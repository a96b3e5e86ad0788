"""Takes memory that belongs to no process.

killed_by: memory?
limits: memory_bytes=100000000 seconds=20
"""

import os

from prelude import escaped, held

hoard = []
try:
    for number in range(1000):
        file = os.memfd_create(str(number))
        hoard.append(file)
        os.write(file, b"x" * (4 << 20))
except OSError:
    held()
else:
    escaped("4 GB went to memory")
