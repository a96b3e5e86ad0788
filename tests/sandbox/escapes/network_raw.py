r"""Opens a raw socket to craft packets.

tells: network socket\(AF_INET\)
"""

import socket

from prelude import held, must_fail

must_fail(socket.socket, socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
held()
