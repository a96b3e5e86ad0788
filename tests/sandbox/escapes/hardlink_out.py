"""Links a system file into the writable folder, to write it there."""

import os

from prelude import held, must_fail

must_fail(os.link, "/usr/bin/env", "/app/data/env")
held()
