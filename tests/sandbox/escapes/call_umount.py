"""Takes away what covers the host's folders.

tells: call umount2
"""

from prelude import held, must_be_refused

for path in (b"/proc", b"/tmp", b"/usr"):
    must_be_refused("umount2", path, 2)
held()
