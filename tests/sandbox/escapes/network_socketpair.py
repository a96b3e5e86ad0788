r"""Makes a pair of sockets in another family.

tells: network socketpair\(AF_INET\)
"""

from prelude import held, must_be_refused

must_be_refused("socketpair", 2, 1, 0, None)
held()
