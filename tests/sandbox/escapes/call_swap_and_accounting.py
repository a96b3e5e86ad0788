"""Turns on swap, accounting and quotas.

tells: call swapon
"""

from prelude import held, must_be_refused

must_be_refused("swapon", b"/app/data/swap", 0)
must_be_refused("acct", b"/app/data/log")
must_be_refused("quotactl", 0, None, 0, None)
must_be_refused("syslog", 3, None, 0)
held()
