"""Stops itself, to be neither dead nor alive.

killed_by: time
limits: seconds=1
"""

import os
import signal

from prelude import held

os.kill(os.getpid(), signal.SIGSTOP)
held()
