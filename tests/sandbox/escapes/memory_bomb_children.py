"""Takes memory in many small processes.

killed_by: memory
limits: memory_bytes=100000000 seconds=20
"""

import os
import time

for _ in range(20):
    if os.fork() == 0:
        hoard = b"x" * (20 << 20)
        time.sleep(30)
        os._exit(len(hoard))
time.sleep(30)
