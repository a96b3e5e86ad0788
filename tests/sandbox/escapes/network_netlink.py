r"""Opens a netlink socket to configure interfaces.

tells: network socket\(AF_NETLINK\)
"""

import socket

from prelude import held, must_fail

must_fail(socket.socket, socket.AF_NETLINK, socket.SOCK_RAW, 0)
held()
