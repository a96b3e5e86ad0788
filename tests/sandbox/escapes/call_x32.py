"""Makes a call from the second table that x86-64 has.

machine: x86_64
"""

import ctypes
import os

from prelude import escaped, held

X32 = 0x40000000
pid = os.fork()
if pid == 0:
    ctypes.CDLL(None).syscall(ctypes.c_long(X32 | 39))
    os._exit(0)
_, status = os.waitpid(pid, 0)
if not os.WIFSIGNALED(status):
    escaped("the foreign call returned")
held()
