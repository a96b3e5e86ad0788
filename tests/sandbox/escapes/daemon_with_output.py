"""Leaves a daemon that keeps the output open.

within: 20
"""

import os
import time

from prelude import held

if os.fork() == 0:
    os.setsid()
    time.sleep(60)
held()
