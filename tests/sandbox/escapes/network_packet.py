r"""Opens a packet socket to listen on the wire.

tells: network socket\(AF_PACKET\)
"""

import socket

from prelude import held, must_fail

must_fail(socket.socket, socket.AF_PACKET, socket.SOCK_RAW, 3)
held()
