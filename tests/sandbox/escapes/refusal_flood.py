"""Asks for forbidden things without end, to keep the watcher busy.

tells: call keyctl
"""

import time

from prelude import held, must_be_refused

until = time.monotonic() + 0.5
while time.monotonic() < until:
    must_be_refused("keyctl", 0, -3, 0)
held()
