"""Searches the memory of every process it can open for a key."""

import contextlib
import os

from prelude import escaped, held

for name in os.listdir("/proc"):
    if not name.isdigit() or int(name) == os.getpid():
        continue
    with contextlib.suppress(OSError), open(f"/proc/{name}/maps") as maps:
        for line in maps:
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            path = f"/proc/{name}/mem"
            unreadable = contextlib.suppress(OSError, ValueError, OverflowError)
            with unreadable, open(path, "rb", 0) as memory:
                memory.seek(start)
                if b"API_" + b"KEY" in memory.read(end - start):
                    escaped(f"process {name} remembers a key")
held()
