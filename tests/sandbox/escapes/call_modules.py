"""Loads a module into the kernel.

tells: call init_module
"""

from prelude import held, must_be_refused

must_be_refused("init_module", None, 0, b"")
must_be_refused("finit_module", 0, b"", 0)
must_be_refused("delete_module", b"ext4", 0)
held()
