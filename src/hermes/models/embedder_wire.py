"""One POST of JSON on a connection that is kept, answered within a given time or not at all.

The standard library does it: what is asked is one request at a time, and a client library would
cost every search more to import than the answer takes. No redirect is followed, so that a key goes
to the address it was meant for and to no other.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from http.client import HTTPConnection, HTTPResponse

_MOST_BYTES = 100_000_000
_AT_ONCE = 65_536


class Unanswered(Exception):
    """Nobody was there, the connection broke, or the time was over."""


class Answer(NamedTuple):
    status: int
    retry_after: str | None
    body: bytes


class Wire:
    """Safe to share: every thread, and every process after a fork, has a connection of its own."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._url = urlsplit(url)
        self._headers = {"Content-Type": "application/json", **headers}
        self._local = threading.local()

    def post(self, body: bytes, seconds: float) -> Answer:
        """Raises Unanswered. A kept connection that the server closed meanwhile is opened anew."""
        ends = time.monotonic() + seconds
        kept = self._kept()
        if kept is not None:
            try:
                return self._exchange(kept, body, ends)
            except Unanswered:
                if time.monotonic() >= ends:
                    raise
        return self._exchange(self._opened(ends), body, ends)

    def _exchange(self, connection: HTTPConnection, body: bytes, ends: float) -> Answer:
        from http.client import HTTPException

        target = self._url.path + (f"?{self._url.query}" if self._url.query else "")
        try:
            _wait_at_most(connection, ends)
            connection.request("POST", target, body, self._headers)
            _wait_at_most(connection, ends)
            response = connection.getresponse()
            answer = Answer(
                response.status,
                response.headers.get("Retry-After"),
                _read(response, connection, ends),
            )
        except (OSError, HTTPException) as error:
            self._hang_up(connection)
            raise Unanswered(_words(error)) from error
        if response.will_close:
            self._hang_up(connection)
        return answer

    def _kept(self) -> HTTPConnection | None:
        if getattr(self._local, "pid", None) != os.getpid():
            return None  # a parent's connection is the parent's
        connection: HTTPConnection | None = self._local.connection
        return connection

    def _opened(self, ends: float) -> HTTPConnection:
        from http.client import HTTPConnection, HTTPSConnection

        host, seconds = self._url.hostname or "", max(ends - time.monotonic(), 0.001)
        connection: HTTPConnection
        if self._url.scheme == "http":
            connection = HTTPConnection(host, self._url.port, timeout=seconds)
        elif (proxy := _proxy_for(host)) is not None:
            connection = HTTPSConnection(*proxy, timeout=seconds)
            connection.set_tunnel(host, self._url.port)
        else:
            connection = HTTPSConnection(host, self._url.port, timeout=seconds)
        self._local.connection, self._local.pid = connection, os.getpid()
        return connection

    def _hang_up(self, connection: HTTPConnection) -> None:
        connection.close()
        self._local.connection = None


def _wait_at_most(connection: HTTPConnection, ends: float) -> None:
    """Give the next wait what is left of the time."""
    left = ends - time.monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    if connection.sock is not None:
        connection.sock.settimeout(left)


def _read(response: HTTPResponse, connection: HTTPConnection, ends: float) -> bytes:
    """The whole body; a server that sends it drop by drop has no more time than any other."""
    parts: list[bytes] = []
    size = 0
    while part := response.read1(_AT_ONCE):
        parts.append(part)
        size += len(part)
        if size > _MOST_BYTES:
            raise OSError(f"the answer has more than {_MOST_BYTES:,} bytes")
        _wait_at_most(connection, ends)
    if response.length:
        raise OSError("it hung up in the middle of its answer")
    response.close()  # only then does the connection take another request
    return b"".join(parts)


def _proxy_for(host: str) -> tuple[str, int | None] | None:
    """What the environment says every program should go through, as other clients understand it."""
    from urllib.request import getproxies, proxy_bypass

    proxy = getproxies().get("https")
    if not proxy or proxy_bypass(host):
        return None
    via = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    return via.hostname or "", via.port


def _words(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
