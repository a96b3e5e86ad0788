"""`hermes serve` as a process of its own, and a client that speaks to it over a real connection."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

API = "/api/v1"
_JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Served:
    """Started on entering, on a port of its own; ended with the block."""

    def __init__(self, home: Path, database_url: str | None = None, *words: str) -> None:
        self._environ = {**os.environ, "HERMES_HOME": str(home), "HOME": str(home)}
        self._environ |= {"MEMORY_DB_URL": database_url} if database_url else {}
        self._words = words or ("--port", "0")
        self._folder = home

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hermes", "serve", *self._words],
            cwd=self._folder,
            env=self._environ,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        self.told = self.process.stderr.readline()
        found = re.search(r"http://([^/]+):(\d+)/", self.told)
        if found is None:
            self.process.kill()
            raise AssertionError(self.told + self.process.communicate()[1])
        self.host, self.port = found[1].strip("[]"), int(found[2])
        self._later: list[str] = []
        self._draining = threading.Thread(target=self._drain, daemon=True)
        self._draining.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        self._draining.join()
        assert self.process.stderr is not None
        self.process.stderr.close()

    def _drain(self) -> None:
        assert self.process.stderr is not None
        self._later.extend(self.process.stderr)

    @property
    def warnings(self) -> str:
        """What it told besides its address; all of it once the process has ended."""
        return "".join(self._later)

    def end(self, number: int = signal.SIGTERM) -> int:
        """The exit code, after a signal."""
        self.process.send_signal(number)
        code = self.process.wait(30)
        self._draining.join()
        return code

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        try:
            connection.request(method, path, body, dict(headers or {}))
            answer = connection.getresponse()
            return Reply(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()

    def add(self, text: object, **more: object) -> Reply:
        body = json.dumps({"text": text, **more}).encode()
        return self.ask("POST", f"{API}/memory", body, _JSON)

    def post(self, body: bytes, content_type: str = "application/json") -> Reply:
        return self.ask("POST", f"{API}/memory", body, {"Content-Type": content_type})

    def search(self, q: str, **more: object) -> Reply:
        query = urlencode({"q": q, **more}, doseq=True)
        return self.ask("GET", f"{API}/memory/search?{query}")

    def found(self, q: str, **more: object) -> list[str]:
        reply = self.search(q, **more)
        assert reply.status == 200, reply.body
        return [hit["memory"]["text"] for hit in reply.json["items"]]
