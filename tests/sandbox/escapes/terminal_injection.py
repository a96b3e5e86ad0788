"""Types into the terminal it was started from."""

import fcntl
import os

from prelude import held, must_fail

TIOCSTI = 0x5412
for descriptor in (0, 1, 2):
    must_fail(fcntl.ioctl, descriptor, TIOCSTI, b"x")
must_fail(os.open, "/dev/tty", os.O_RDWR)
held()
