r"""Tries every socket family there is; one forgotten would do.

tells: network socket\(AF_INET\)
"""

from prelude import held, must_be_refused

AF_UNIX = 1
for family in range(64):
    if family != AF_UNIX:
        for kind in (1, 2, 3, 5):
            must_be_refused("socket", family, kind, 0)
held()
