"""Makes a 32-bit call, which has other numbers than the filter knows.

machine: x86_64
"""

import ctypes
import mmap
import os

from prelude import escaped, held

# mov eax, 20 (getpid); int 0x80; ret
code = bytes.fromhex("b814000000cd80c3")
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(code)
address = ctypes.addressof(ctypes.c_char.from_buffer(page))
pid = os.fork()
if pid == 0:
    ctypes.CFUNCTYPE(ctypes.c_int)(address)()
    os._exit(0)
_, status = os.waitpid(pid, 0)
if not os.WIFSIGNALED(status):
    escaped("the foreign call returned")
held()
