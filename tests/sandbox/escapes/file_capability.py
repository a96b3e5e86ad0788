"""Gives a file a capability."""

import os

from prelude import held, must_fail

with open("/app/data/tool", "w") as file:
    file.write("#!/bin/sh")
value = bytes.fromhex("0100000200200000000000000000000000000000")
must_fail(os.setxattr, "/app/data/tool", "security.capability", value)
held()
