"""Starts threads without end.

killed_by: processes
limits: processes=32 seconds=20
"""

import contextlib
import threading
import time

while True:
    with contextlib.suppress(RuntimeError):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
