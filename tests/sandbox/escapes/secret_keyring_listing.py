"""Lists the keys that the kernel holds for the host's user."""

import contextlib

from prelude import held

for path in ("/proc/keys", "/proc/key-users"):
    with contextlib.suppress(OSError), open(path) as table:
        print(table.read())
held()
