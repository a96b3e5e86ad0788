"""Kills every process it may.

ends: killed
"""

import os
import signal
import time

from prelude import held

pid = os.fork()
if pid == 0:
    os.setsid()
    os.kill(-1, signal.SIGKILL)
    os._exit(0)
held()
time.sleep(5)
