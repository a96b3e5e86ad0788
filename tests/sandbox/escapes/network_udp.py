r"""Sends a datagram to the host.

tells: network socket\(AF_INET\)
"""

import socket

from prelude import HOST, held, must_fail


def send():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        channel.sendto(b"stolen", ("127.0.0.1", HOST["udp_port"]))


must_fail(send)
held()
