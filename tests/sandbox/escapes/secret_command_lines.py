"""Reads the host's folders from the command lines of its helpers."""

import contextlib
import os

from prelude import HOST, escaped, held

for name in os.listdir("/proc"):
    if name.isdigit() and int(name) != os.getpid():
        with contextlib.suppress(OSError), open(f"/proc/{name}/cmdline", "rb") as file:
            if HOST["home"].encode() in file.read():
                escaped("a command line tells where the host keeps its things")
held()
