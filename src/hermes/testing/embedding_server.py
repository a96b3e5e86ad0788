"""A real HTTP server that speaks the wire format of `/v1/embeddings`, and fails on demand."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from hermes.ports import Embedder
from hermes.testing.http_thread import HttpThread

Fault = Callable[["_Handler"], None]
_LENGTH = 3.0  # of the vectors it sends: to bring them to 1 is up to whoever reads them


@dataclass
class Asked:
    """One request as it came in."""

    headers: Mapping[str, str]
    body: dict[str, Any]
    connection: tuple[str, int]

    @property
    def texts(self) -> list[str]:
        return list(self.body["input"])


@dataclass
class _State:
    embedder: Embedder
    longest: int | None = None
    faults: list[Fault] = field(default_factory=list)
    lasting: Fault | None = None
    asked: list[Asked] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)


class EmbeddingServer(HttpThread):
    """Started on entering; `url` is its base address. It sends an embedder's real vectors.

    `fail_next` are faults of the next requests, `fail` of all that follow, until `mend`. A text
    longer than `longest` is refused, as servers with a small window do.
    """

    def __init__(self, embedder: Embedder, *, longest: int | None = None, port: int = 0) -> None:
        self._state = _State(embedder, longest)
        handler = type("Handler", (_Handler,), {"state": self._state})
        self._server = _Server(("127.0.0.1", port), handler)
        super().__init__(self._server)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def asked(self) -> list[Asked]:
        return self._state.asked

    def fail_next(self, *faults: Fault) -> None:
        self._state.faults += faults

    def fail(self, fault: Fault) -> None:
        self._state.lasting = fault

    def mend(self) -> None:
        self._state.lasting, self._state.faults = None, []

    def release(self) -> None:
        self._state.released.set()
        self._server.hang_up()


def status(code: int, message: str = "", **headers: str) -> Fault:
    """An error as OpenAI words it; the code of an error may stand in the message."""
    body = json.dumps({"error": {"message": message}}).encode()

    def answer(handler: _Handler) -> None:
        handler.answer(code, body, {name.replace("_", "-"): text for name, text in headers.items()})

    return answer


def raw(body: bytes) -> Fault:
    """A success that says something else."""
    return lambda handler: handler.answer(200, body)


def vectors(*rows: list[Any]) -> Fault:
    """A success with these rows, whatever was asked."""
    data = [{"index": at, "embedding": row} for at, row in enumerate(rows)]
    return raw(json.dumps({"data": data}).encode())


def hang(handler: _Handler) -> None:
    """Say nothing until the server is stopped."""
    handler.state.released.wait(60)
    handler.close_connection = True


def drip(handler: _Handler) -> None:
    """Send a byte now and then, so that no single wait is long."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.state.released.wait(0.05):
        handler.wfile.write(b" ")


def cut(handler: _Handler) -> None:
    """Promise an answer and hang up in the middle of it."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(b'{"data": [')
    handler.close_connection = True


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._open: list[socket.socket] = []

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.append(request)
        super().process_request(request, client_address)

    def hang_up(self) -> None:
        """End every connection, as a server that is killed does."""
        for one in self._open:
            with suppress(OSError):  # some are closed already
                one.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: _State

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        body = json.loads(self.rfile.read(size))
        state = self.state
        state.asked.append(Asked(dict(self.headers), body, self.client_address))
        fault = state.faults.pop(0) if state.faults else state.lasting
        if self.path != "/v1/embeddings":
            fault = status(404, "no such path")
        texts = body["input"]
        if fault is None and state.longest and any(len(one) > state.longest for one in texts):
            fault = status(400, "input is too large to process")
        if fault is not None:
            fault(self)
            return
        rows = [_numbers(vector) for vector in state.embedder.embed(texts)]
        data = [{"index": at, "embedding": row} for at, row in enumerate(rows)]
        self.answer(200, json.dumps({"data": data[::-1], "model": body["model"]}).encode())

    def answer(self, code: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(code)
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """What was asked is in `asked`."""


def _numbers(vector: bytes) -> list[float]:
    return [_LENGTH * number for number in struct.unpack(f"<{len(vector) // 4}f", vector)]
