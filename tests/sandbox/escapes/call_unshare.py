"""Makes new namespaces to be somebody in.

tells: call unshare
"""

from prelude import held, must_be_refused

for kind in (0x10000000, 0x20000, 0x40000000, 0x20000000, 0x08000000):
    must_be_refused("unshare", kind)
held()
