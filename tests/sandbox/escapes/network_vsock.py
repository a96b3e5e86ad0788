r"""Talks to the hypervisor over a vsock.

tells: network socket\(AF_VSOCK\)
"""

import socket

from prelude import held, must_fail

must_fail(socket.socket, 40, socket.SOCK_STREAM)
held()
