"""Changes the root folder, to climb out of it.

tells: call chroot
"""

from prelude import held, must_be_refused

must_be_refused("chroot", b"/app/data")
held()
