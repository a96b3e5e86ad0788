"""Deletes a program of the host.

tells: write /usr/bin/env
"""

import os

from prelude import held, must_fail

must_fail(os.unlink, "/usr/bin/env")
held()
