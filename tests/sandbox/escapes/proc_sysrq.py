"""Restarts the machine by a keystroke file.

tells: write /proc/sysrq-trigger
"""

from prelude import held, must_fail

must_fail(open, "/proc/sysrq-trigger", "w")
held()
