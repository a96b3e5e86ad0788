"""Ignores every signal that can be ignored.

killed_by: time
limits: seconds=1
"""

import signal
import time

for number in range(1, 32):
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_IGN)
while True:
    time.sleep(1)
