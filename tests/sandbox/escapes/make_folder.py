"""Makes a folder outside.

tells: write /usr/planted
"""

import os

from prelude import held, must_fail

must_fail(os.mkdir, "/srv-planted")
must_fail(os.mkdir, "/usr/planted")
held()
