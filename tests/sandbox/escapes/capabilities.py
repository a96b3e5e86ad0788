"""Looks for a capability that was left, or takes one."""

import ctypes
import os
import struct

from prelude import escaped, held

with open("/proc/self/status") as status:
    sets = dict(line.split(":\t") for line in status.read().splitlines() if line.startswith("Cap"))
for name in ("CapPrm", "CapEff", "CapInh", "CapAmb"):
    if int(sets[name], 16):
        escaped(f"{name} is {sets[name]}")
header = struct.pack("=Ii", 0x20080522, 0)
data = struct.pack("=6I", *(0xFFFFFFFF,) * 6)
CAPSET = {"x86_64": 126, "aarch64": 91}[os.uname().machine]
if ctypes.CDLL(None).syscall(ctypes.c_long(CAPSET), header, data) == 0:
    escaped("capset worked")
held()
