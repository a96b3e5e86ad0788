"""Becomes root, or anybody else."""

import os

from prelude import escaped, held, must_fail

for change in (os.setuid, os.setgid, os.seteuid):
    must_fail(change, 0)
must_fail(os.setgroups, [0])
if os.getuid() == 0 or os.geteuid() == 0:
    escaped("it was root all along")
held()
