"""Connects to a host socket that has a name but no file."""

import socket

from prelude import HOST, held, must_fail

with socket.socket(socket.AF_UNIX) as channel:
    must_fail(channel.connect, "\0" + HOST["abstract_socket"])
held()
