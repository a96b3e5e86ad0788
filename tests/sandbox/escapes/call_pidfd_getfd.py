"""Takes an open file out of another process.

tells: call pidfd_getfd
"""

import os

from prelude import held, must_be_refused

own = os.pidfd_open(1)
for descriptor in range(10):
    must_be_refused("pidfd_getfd", own, descriptor, 0)
held()
