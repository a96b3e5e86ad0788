r"""Connects to the host over IPv6.

tells: network socket\(AF_INET6\)
"""

import socket

from prelude import HOST, held, must_fail

must_fail(socket.create_connection, ("::1", HOST["tcp_port"]), 2)
held()
