"""Opens a system file to everybody.

tells: write /usr/bin/env
"""

import os

from prelude import held, must_fail

must_fail(os.chmod, "/usr/bin/env", 0o777)
held()
