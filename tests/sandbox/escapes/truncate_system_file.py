"""Empties a program of the host.

tells: write /usr/bin/env
"""

import os

from prelude import held, must_fail

must_fail(os.truncate, "/usr/bin/env", 0)
held()
