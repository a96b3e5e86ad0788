"""Exchanges the root folder.

tells: call pivot_root
"""

from prelude import held, must_be_refused

must_be_refused("pivot_root", b"/app/data", b"/app/data")
held()
