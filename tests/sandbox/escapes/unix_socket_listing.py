"""Reads which sockets the host has."""

from prelude import HOST, escaped, held

with open("/proc/net/unix") as table:
    if HOST["abstract_socket"] in table.read():
        escaped("the host's sockets are listed")
held()
