"""Moves a file out of the writable folder.

tells: write /usr/lib/file
"""

import os

from prelude import held, must_fail

with open("/app/data/file", "w") as file:
    file.write("x")
must_fail(os.rename, "/app/data/file", "/usr/lib/file")
held()
