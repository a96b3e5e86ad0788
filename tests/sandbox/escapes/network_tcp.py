r"""Connects to a TCP port of the host.

tells: network socket\(AF_INET\)
"""

import socket

from prelude import HOST, held, must_fail

must_fail(socket.create_connection, ("127.0.0.1", HOST["tcp_port"]), 2)
held()
