"""Looks for the sockets of engines and buses that obey whoever connects."""

import os

from prelude import escaped, held

for path in (
    "/var/run/docker.sock",
    "/run/docker.sock",
    "/run/containerd/containerd.sock",
    "/run/systemd/private",
    "/run/dbus/system_bus_socket",
    "/var/run/dbus/system_bus_socket",
):
    if os.path.exists(path):
        escaped(f"{path} is there")
held()
