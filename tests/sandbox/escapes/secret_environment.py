"""Reads API keys from every environment it can see."""

import contextlib
import os

from prelude import escaped, held

seen = "".join(f"{name}={value}" for name, value in os.environ.items())
for name in os.listdir("/proc"):
    if name.isdigit():
        with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
            seen += file.read().decode(errors="replace")
print(seen)
for suspicious in ("API_KEY", "TOKEN=", "SECRET", "PASSWORD"):
    if suspicious in seen:
        escaped(f"there is something like {suspicious}")
held()
