"""Tells the kernel to run a program of ours when something crashes.

tells: write /proc/sys/kernel/core_pattern
"""

from prelude import held, must_fail

must_fail(open, "/proc/sys/kernel/core_pattern", "w")
must_fail(open, "/proc/sys/user/max_user_namespaces", "w")
held()
