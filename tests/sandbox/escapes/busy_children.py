"""Burns the processor in many processes, each for a short while.

killed_by: cpu
limits: cpu_seconds=1 seconds=30
"""

import os
import time

while True:
    if os.fork() == 0:
        until = time.process_time() + 0.2
        while time.process_time() < until:
            pass
        os._exit(0)
    os.wait()
