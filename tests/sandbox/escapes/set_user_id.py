"""Leaves a set-user-id file behind, to be run by somebody later.

tells: call chmod set-id
"""

import os

from prelude import held, must_fail

with open("/app/data/tool", "w") as file:
    file.write("#!/bin/sh")
must_fail(os.chmod, "/app/data/tool", 0o4755)
must_fail(os.chmod, "/app/data/tool", 0o2755)
descriptor = os.open("/app/data/tool", os.O_RDONLY)
must_fail(os.fchmod, descriptor, 0o6755)
must_fail(os.open, "/app/data/born", os.O_CREAT | os.O_WRONLY, 0o4755)
held()
