"""One reply for each request, in order, over a real socket."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType, TracebackType
from typing import Any

from hermes.testing.http_thread import HttpThread
from hermes.testing.model_servers import anthropic_wire, openai_wire
from hermes.testing.model_servers.replies import BreaksOff, Fails, Garbage, Hangs, Reply


class ScriptedServer(HttpThread):
    """A request beyond the script gets status 599; a reply nobody asked for fails the test.

    A history that the provider would refuse is refused here too.

    `asked` are the bodies of the requests, `keys` what they were signed with.
    """

    def __init__(self, wire: ModuleType, replies: Sequence[Reply]) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self._wire = wire
        self._replies = list(replies)
        self._lock = threading.Lock()
        self._closing = threading.Event()
        super().__init__(ThreadingHTTPServer(("127.0.0.1", 0), self._handler()))

    @property
    def url(self) -> str:
        """Without the path that the wire format adds."""
        path = "/v1" if self._wire is openai_wire else ""
        return f"http://127.0.0.1:{self.port}{path}"

    def release(self) -> None:
        self._closing.set()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        super().__exit__(kind, error, trace)
        if error is None:
            self.check_used()

    def check_used(self) -> None:
        left = len(self._replies) - len(self.asked)
        assert left == 0, f"{abs(left)} {'replies nobody asked for' if left > 0 else 'too many'}"

    def _next(self, path: str, key: str, body: dict[str, Any]) -> Reply:
        with self._lock:
            at = len(self.asked)
            self.asked.append(body)
            self.keys.append(key)
        if path != self._wire.PATH:
            return Fails(404, f"no such path: {path}")
        if fault := self._wire.unsound(body):
            return Fails(400, fault, "invalid_request_error")
        return self._replies[at] if at < len(self._replies) else Fails(599, "beyond the script")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                """Quiet: the test says what went wrong."""

            def do_POST(self) -> None:
                size = int(self.headers["Content-Length"])
                body = json.loads(self.rfile.read(size))
                key = self.headers.get("x-api-key") or self.headers.get("Authorization") or ""
                reply = server._next(self.path.split("?")[0], key.removeprefix("Bearer "), body)
                try:
                    server._answer(self, reply, streamed=bool(body.get("stream")))
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True  # whoever asked has gone, which is their right

        return Handler

    def _answer(self, to: BaseHTTPRequestHandler, reply: Reply, *, streamed: bool) -> None:
        if isinstance(reply, Fails) and reply.in_stream is None:
            _send(to, json.dumps(self._wire.failure(reply)).encode(), reply.status, reply.headers)
        elif isinstance(reply, Hangs | BreaksOff | Fails) or streamed:
            self._stream(to, reply, streamed=streamed)
        elif isinstance(reply, Garbage):
            _send(to, reply.data)
        else:
            _send(to, json.dumps(self._wire.whole(reply)).encode())

    def _stream(self, to: BaseHTTPRequestHandler, reply: Reply, *, streamed: bool) -> None:
        """No length is sent, so the end of the connection is the end of the body."""
        to.close_connection = True
        if streamed:
            to.send_response(200)
            to.send_header("Content-Type", "text/event-stream")
            to.send_header("Connection", "close")
            to.end_headers()
            if isinstance(reply, Garbage):
                to.wfile.write(b"data: " + reply.data + b"\n\n")
            else:
                for event in self._wire.streamed(reply):
                    to.wfile.write(event.encode())
                    to.wfile.flush()
        if isinstance(reply, Hangs):
            self._closing.wait()


def openai_server(*replies: Reply) -> ScriptedServer:
    return ScriptedServer(openai_wire, replies)


def anthropic_server(*replies: Reply) -> ScriptedServer:
    return ScriptedServer(anthropic_wire, replies)


def _send(
    to: BaseHTTPRequestHandler,
    data: bytes,
    status: int = 200,
    headers: Any = None,
) -> None:
    to.send_response(status)
    to.send_header("Content-Type", "application/json")
    to.send_header("Content-Length", str(len(data)))
    for name, value in (headers or {}).items():
        to.send_header(name, value)
    to.end_headers()
    to.wfile.write(data)
