"""Writes through a link that leads outside.

tells: write /etc/passwd
"""

import os

from prelude import held, must_fail

os.symlink("/etc/passwd", "/app/data/innocent")
must_fail(open, "/app/data/innocent", "a")
held()
