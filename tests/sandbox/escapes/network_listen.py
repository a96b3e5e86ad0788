r"""Waits for somebody outside to call in.

tells: network socket\(AF_INET\)
"""

import socket

from prelude import held, must_fail

must_fail(socket.create_server, ("0.0.0.0", 0))
held()
