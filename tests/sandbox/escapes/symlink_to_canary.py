"""Reads and writes a host file through a link in the writable folder.

tells: write .*canary.*
"""

import os

from prelude import HOST, held, must_fail

os.symlink(HOST["canary"], "/app/data/link")
must_fail(open, "/app/data/link")
must_fail(open, "/app/data/link", "w")
held()
