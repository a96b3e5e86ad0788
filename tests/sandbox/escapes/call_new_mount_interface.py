"""Mounts by the newer calls.

tells: call fsopen
"""

from prelude import held, must_be_refused

must_be_refused("fsopen", b"tmpfs", 0)
must_be_refused("open_tree", -100, b"/", 1)
must_be_refused("move_mount", -100, b"/usr", -100, b"/tmp", 0)
must_be_refused("mount_setattr", -100, b"/usr", 0, None, 0)
must_be_refused("fspick", -100, b"/", 0)
held()
