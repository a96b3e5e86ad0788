"""Goes around the mounts through /proc."""

import os

from prelude import HOST, held, must_fail

for pid in ("1", "self", str(os.getppid())):
    must_fail(open, f"/proc/{pid}/root{HOST['canary']}")
    must_fail(open, f"/proc/{pid}/cwd/../../../..{HOST['canary']}")
held()
