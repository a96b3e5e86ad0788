"""Turns the host's clock.

tells: call settimeofday
"""

from prelude import held, must_be_refused

must_be_refused("settimeofday", None, None)
must_be_refused("clock_settime", 0, None)
held()
