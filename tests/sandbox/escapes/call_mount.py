"""Mounts a fresh file system over the read-only ones.

tells: call mount
"""

from prelude import held, must_be_refused

must_be_refused("mount", b"tmpfs", b"/usr", b"tmpfs", 0, None)
MS_REMOUNT_BIND = 32 | 4096
must_be_refused("mount", b"none", b"/usr", None, MS_REMOUNT_BIND, None)
MS_SILENT = 0x8000
must_be_refused("mount", b"tmpfs", b"/usr", b"tmpfs", MS_SILENT, None)
must_be_refused("mount", b"none", b"/usr", None, MS_REMOUNT_BIND | MS_SILENT, None)
held()
