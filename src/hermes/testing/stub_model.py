"""A model server of fixed latency, as a process of its own: what it computes is nobody else's time.

    python -m hermes.testing.stub_model SECONDS

It prints its address, and from then on one line for each request. It calls `read_file` once for
each request of a person, and answers when it is told what the file says.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from hermes.testing.model_servers import Calls, Says, openai_wire

FILE = "data.csv"
_SAID = Says("It was done as it was asked.")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a body that waits for its header's receipt comes 40 ms late
    seconds = 0.0

    def log_message(self, *_: object) -> None:
        """Only requests are told, by do_POST."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        print(body["model"], flush=True)
        time.sleep(self.seconds)
        was_answered = body["messages"][-1]["role"] == "tool"
        reply = _SAID if was_answered else Calls("read_file", {"path": FILE})
        events = "".join(openai_wire.streamed(reply)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(events)))
        self.end_headers()
        self.wfile.write(events)


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed in the middle of a request is no error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class StubModel:
    """The running server, seen from outside."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self._lines = process.stdout
        self.name = f"openai:stub@{self._lines.readline().strip()}"

    def wait_for_request(self) -> None:
        """Returns as soon as the next request is there."""
        if not self._lines.readline():
            raise RuntimeError("the stub of a model server has ended")


@contextmanager
def stub_model(seconds: float) -> Iterator[StubModel]:
    """For as long as it is needed. Each request waits `seconds` for its answer."""
    process = subprocess.Popen(
        [sys.executable, "-m", "hermes.testing.stub_model", str(seconds)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield StubModel(process)
    finally:
        process.terminate()
        process.wait()


def _serve(seconds: float) -> None:
    _Handler.seconds = seconds
    server = _Server(("127.0.0.1", 0), _Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    _serve(float(sys.argv[1]))
