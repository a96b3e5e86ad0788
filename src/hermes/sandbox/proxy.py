"""The only way out of a sandbox that was granted some hosts: an HTTP proxy that knows them.

The sandbox keeps its own network, in which nothing but the loopback exists. A listening socket
made in there is handed out to us, so this side accepts, looks at the host that is asked for and
connects from here. There is no route, no name service and no other port inside to go around it.
"""

from __future__ import annotations

import fcntl
import ipaddress
import os
import selectors
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from urllib.parse import urlsplit

from hermes.errors import SandboxUnavailable
from hermes.records.sandbox import NetworkGrant, Violation, ViolationKind, Witness
from hermes.sandbox.kernel import CLONE_NEWNET, CLONE_NEWUSER
from hermes.sandbox.layout import PROXY_PORT

_OWNING_USER_NAMESPACE = 0xB701  # ioctl NS_GET_USERNS
_DEFAULT_PORTS = (80, 443)
_HEAD_LIMIT = 1 << 16
_PATIENCE = 30.0
_CHUNK = 1 << 16
_MOST_CONNECTIONS = 32

_LISTEN_IN_THERE = f"""
import ctypes, os, socket, sys
user, net, back = map(int, sys.argv[1:])
libc = ctypes.CDLL(None, use_errno=True)
for namespace, kind in ((user, {CLONE_NEWUSER}), (net, {CLONE_NEWNET})):
    if libc.setns(namespace, kind):
        sys.exit("setns: " + os.strerror(ctypes.get_errno()))
listener = socket.create_server(("127.0.0.1", {PROXY_PORT}))
socket.send_fds(socket.socket(fileno=back), [b"1"], [listener.fileno()])
"""


class Doorman:
    """Stands at one sandbox's door from before its program starts until after its end."""

    def __init__(self, grant: NetworkGrant | None) -> None:
        hosts = () if grant is None else grant.hosts
        self._granted = frozenset(pair for host in hosts for pair in _pairs(host))
        self._refused: dict[str, int] = {}
        self._listener: socket.socket | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._room = threading.Semaphore(_MOST_CONNECTIONS)

    def stand_in(self, pid: int) -> None:
        """Listen in the network namespace of that process, if any host was granted."""
        if not self._granted:
            return
        self._listener = _listener_of(pid)
        self._thread = threading.Thread(target=self._accept, name="hermes-doorman", daemon=True)
        self._thread.start()

    def close(self) -> None:
        with self._lock:
            everything = [*self._open, *([self._listener] if self._listener else [])]
            self._listener = None
        for one in everything:
            with suppress(OSError):  # the other side closed it first
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        if self._thread is not None:
            self._thread.join()

    def violations(self) -> tuple[Violation, ...]:
        return tuple(
            Violation(
                kind=ViolationKind.NETWORK, subject=subject, witness=Witness.PROXY, times=times
            )
            for subject, times in self._refused.items()
        )

    def allows(self, host: str, port: int) -> bool:
        return (host.rstrip(".").lower(), port) in self._granted

    def _accept(self) -> None:
        listener = self._listener
        assert listener is not None
        while True:
            self._room.acquire()
            try:
                inside, _ = listener.accept()
            except OSError:  # closed: the run is over
                return
            threading.Thread(target=self._serve, args=(inside,), daemon=True).start()

    def _serve(self, inside: socket.socket) -> None:
        inside.settimeout(_PATIENCE)
        self._hold(inside)
        try:
            with suppress(OSError, ValueError):  # either side may vanish or talk nonsense
                self._speak(inside)
        finally:
            self._drop(inside)
            self._room.release()

    def _speak(self, inside: socket.socket) -> None:
        head, _, rest = _read_head(inside).partition(b"\r\n\r\n")
        request, _, headers = head.partition(b"\r\n")
        method, target, _ = request.decode("latin-1").split(" ", 2)
        url = urlsplit(f"//{target}" if method == "CONNECT" else target)
        host, port = url.hostname or "", url.port or 80
        if not self.allows(host, port) or not (address := _address(host, port)):
            self._refuse(inside, f"{host}:{port}")
            return
        with socket.create_connection(address, timeout=_PATIENCE) as outside:
            self._hold(outside)
            try:
                if method == "CONNECT":
                    inside.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                    outside.sendall(rest)
                else:
                    path = url._replace(scheme="", netloc="").geturl() or "/"
                    line = f"{method} {path} HTTP/1.1\r\nConnection: close\r\n".encode("latin-1")
                    outside.sendall(line + _without_connection(headers) + b"\r\n\r\n" + rest)
                _relay(inside, outside)
            finally:
                self._drop(outside)

    def _refuse(self, inside: socket.socket, subject: str) -> None:
        with self._lock:
            self._refused[subject] = self._refused.get(subject, 0) + 1
        body = f"{subject} is not among the granted hosts\n".encode()
        head = f"HTTP/1.1 403 Forbidden\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        inside.sendall(head.encode() + body)

    def _hold(self, one: socket.socket) -> None:
        with self._lock:
            self._open.add(one)

    def _drop(self, one: socket.socket) -> None:
        with self._lock:
            self._open.discard(one)
        one.close()


def _pairs(host: str) -> list[tuple[str, int]]:
    split = urlsplit(f"//{host}")
    name = (split.hostname or "").rstrip(".")
    if not name:
        raise ValueError(f"not a host: {host!r}")
    return [(name, port) for port in ((split.port,) if split.port else _DEFAULT_PORTS)]


def _address(host: str, port: int) -> tuple[str, int] | None:
    """Where to connect. A name may not lead to this machine or its metadata service: only who
    granted that address itself meant it."""
    literal = host == "localhost" or _is_literal(host)
    for *_, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        found = ipaddress.ip_address(str(address[0]).partition("%")[0])
        if literal or not (found.is_loopback or found.is_link_local or found.is_unspecified):
            return str(address[0]), port
    return None


def _is_literal(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _read_head(inside: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        chunk = inside.recv(_CHUNK)
        data += chunk
        if not chunk or len(data) > _HEAD_LIMIT:
            raise ValueError("no request")
    return data


def _without_connection(headers: bytes) -> bytes:
    dropped = (b"connection:", b"proxy-connection:", b"proxy-authorization:")
    return b"\r\n".join(
        line for line in headers.split(b"\r\n") if not line.lower().startswith(dropped)
    )


def _relay(one: socket.socket, other: socket.socket) -> None:
    """Both ways until either side ends."""
    with selectors.DefaultSelector() as selector:
        selector.register(one, selectors.EVENT_READ, other)
        selector.register(other, selectors.EVENT_READ, one)
        while events := selector.select(_PATIENCE):
            for key, _ in events:
                chunk = key.fileobj.recv(_CHUNK)  # type: ignore[union-attr]
                if not chunk:
                    return
                key.data.sendall(chunk)


def _listener_of(pid: int) -> socket.socket:
    network = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    owner = fcntl.ioctl(network, _OWNING_USER_NAMESPACE)
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-I", "-S", "-c", _LISTEN_IN_THERE]
    try:
        done = subprocess.run(
            [*command, str(owner), str(network), str(theirs.fileno())],
            pass_fds=(owner, network, theirs.fileno()),
            stderr=subprocess.PIPE,
            timeout=_PATIENCE,
            check=False,
        )
        if done.returncode:
            reason = done.stderr.decode(errors="replace").strip()
            raise SandboxUnavailable(f"the granted hosts cannot be opened: {reason}")
        _, fds, _, _ = socket.recv_fds(ours, 1, 1)
    finally:
        os.close(network)
        os.close(owner)
        ours.close()
        theirs.close()
    return socket.socket(fileno=fds[0])
