"""Doubles itself without end.

killed_by: processes
limits: processes=32 seconds=20
"""

import contextlib
import os

while True:
    with contextlib.suppress(OSError):
        os.fork()
