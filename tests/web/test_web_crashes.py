"""What nobody expected is written down, told as a problem, and quotes nothing."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from hermes.web.guard import Guard

SCOPE = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}


class Crossing:
    """One request through a guard with this application behind it."""

    def __init__(self, app: Any) -> None:
        self.told: list[Exception] = []
        self.sent: list[Message] = []
        self._guard = Guard(app, crashed=self._crashed)

    def _crashed(self, error: Exception) -> str:
        self.told.append(error)
        return "unexpected"

    def run(self) -> None:
        asyncio.run(self._guard(dict(SCOPE), _receive, self._send))

    async def _send(self, message: Message) -> None:
        self.sent.append(message)


async def _receive() -> Message:
    return {"type": "http.request", "body": b""}


def test_a_fault_before_the_answer_becomes_a_problem() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise ZeroDivisionError("with a secret in it")

    crossing = Crossing(app)
    crossing.run()
    start, body = crossing.sent
    assert start["status"] == 500
    assert (b"content-type", b"application/problem+json") in start["headers"]
    assert json.loads(body["body"])["detail"] == "unexpected"
    assert [type(one) for one in crossing.told] == [ZeroDivisionError]


def test_a_fault_in_the_middle_of_an_answer_breaks_it_off() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ZeroDivisionError

    crossing = Crossing(app)
    with pytest.raises(ZeroDivisionError):
        crossing.run()
    assert [one["type"] for one in crossing.sent] == ["http.response.start"]
    assert len(crossing.told) == 1
