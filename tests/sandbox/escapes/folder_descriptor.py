"""Climbs out from a folder it holds open."""

import os

from prelude import HOST, held, must_fail

descriptor = os.open("/app/data", os.O_RDONLY | os.O_DIRECTORY)
must_fail(os.open, "../.." + HOST["canary"], os.O_RDONLY, dir_fd=descriptor)
must_fail(os.open, "../../../../../../.." + HOST["canary"], os.O_RDONLY, dir_fd=descriptor)
held()
