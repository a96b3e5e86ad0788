"""Connects to a host socket by its file."""

import socket

from prelude import HOST, held, must_fail

with socket.socket(socket.AF_UNIX) as channel:
    must_fail(channel.connect, HOST["socket"])
held()
