"""Who may come in, and with how much. Stands before everything else that `hermes serve` runs.

A browser lets any web page send requests to this machine, so it is told apart by what a page
cannot change: the `Host` it was loaded from, its `Origin`, and `Sec-Fetch-Site`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hermes.web.address import is_loopback_header
from hermes.web.problems import problem

LARGEST_BODY = 1024 * 1024
_DISCARDED = 16 * LARGEST_BODY
_PATIENCE = 5.0
_WITH_BODY = ("POST", "PUT", "PATCH")
_OWN_SITE = ("same-origin", "none")  # "none" is what a person typed


class Guard:
    """`crashed` is told of what nobody expected, and gives the words for it."""

    def __init__(self, app: ASGIApp, crashed: Callable[[Exception], str]) -> None:
        self._app = app
        self._crashed = crashed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = _refusal(scope["method"], headers)
        if refused is not None:
            await refused(scope, receive, send)
            return
        try:
            body = await _body(headers, receive)
        except _Gone:
            return
        if body is None:
            await _too_large(scope, headers, receive, send)
        else:
            await self._let_in(scope, body, receive, send)

    async def _let_in(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        waiting, answering = [body], False

        async def given() -> Message:
            if waiting:
                return {"type": "http.request", "body": waiting.pop()}
            return await receive()

        async def watched(message: Message) -> None:
            nonlocal answering
            if message["type"] == "http.response.start":
                answering = True
                more = MutableHeaders(scope=message)
                more["Cache-Control"] = "no-store"
                more["X-Content-Type-Options"] = "nosniff"
            await send(message)

        try:
            await self._app(scope, given, watched)
        except Exception as error:
            said = self._crashed(error)
            if answering:
                raise
            await problem(500, said, code="error")(scope, receive, send)


def _refusal(method: str, headers: Headers) -> Response | None:
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not is_loopback_header(hosts[0]):
        return problem(403, "only this machine is answered", hint="call it by 127.0.0.1")
    origin = headers.get("origin")
    if origin is not None and origin.lower() != f"http://{hosts[0]}".lower():
        return problem(403, "a page of another site may not call this")
    if headers.get("sec-fetch-site", "none") not in _OWN_SITE:
        return problem(403, "a page of another site may not call this")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if method in _WITH_BODY and kind != "application/json":
        return problem(415, "the body must be JSON", hint="Content-Type: application/json")
    return None


def _announced(headers: Headers) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() else 0


class _Gone(Exception):
    """Who sent it has hung up."""


async def _body(headers: Headers, receive: Receive) -> bytes | None:
    """All of it; None where it is, or says that it is, too large."""
    if _announced(headers) > LARGEST_BODY:
        return None
    body = b""
    async for piece in _pieces(receive):
        body += piece
        if len(body) > LARGEST_BODY:
            return None
    return body


async def _too_large(scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
    """Who asked first whether to send hears the answer at once. Who did not listens only after
    the last byte, so some are passed over; nothing of them is kept."""
    if "expect" not in headers and _announced(headers) <= _DISCARDED:
        with suppress(TimeoutError, _Gone):
            await asyncio.wait_for(_pass_over(receive), _PATIENCE)
    said = f"a body has at most {LARGEST_BODY:,} bytes"
    await problem(413, said, headers={"Connection": "close"})(scope, receive, send)


async def _pass_over(receive: Receive) -> None:
    left = _DISCARDED
    async for piece in _pieces(receive):
        left -= len(piece)
        if left < 0:
            return


async def _pieces(receive: Receive) -> AsyncIterator[bytes]:
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Gone
        yield message.get("body", b"")
        more = message.get("more_body", False)
