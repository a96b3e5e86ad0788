"""Writes into the sandbox's first process. It may: that one has no more rights than itself.

tells: write /proc/1/mem
not_on: docker
"""

import contextlib

from prelude import escaped, held

with contextlib.suppress(OSError), open("/proc/1/mem", "r+b", 0):
    pass
with open("/proc/1/status") as file:
    status = dict(line.split(":\t", 1) for line in file.read().splitlines() if ":\t" in line)
with open("/proc/self/status") as file:
    own = dict(line.split(":\t", 1) for line in file.read().splitlines() if ":\t" in line)
for name in ("Uid", "Gid", "CapPrm", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp"):
    if status[name] != own[name]:
        escaped(f"the first process has another {name}: {status[name]}")
held()
