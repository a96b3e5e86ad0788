"""Watches what the processor does for others.

tells: call perf_event_open
"""

from prelude import held, must_be_refused

must_be_refused("perf_event_open", None, 0, -1, -1, 0)
held()
