"""An HTTP server that runs in a thread for as long as it is entered."""

from __future__ import annotations

import threading
from http.server import ThreadingHTTPServer
from types import TracebackType
from typing import Self


class HttpThread:
    """`http` listens already. `release` lets go of whoever is made to wait, before it ends."""

    def __init__(self, http: ThreadingHTTPServer) -> None:
        self.http = http
        self._thread = threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        return int(self.http.server_address[1])

    def release(self) -> None:
        """Nobody waits here."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()
        self.http.shutdown()
        self.http.server_close()
        self._thread.join(timeout=30)
