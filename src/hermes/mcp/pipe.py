"""Standard input and output as the two streams that a server of `mcp` runs on.

The package has such streams, but a line of any length, and what cannot be read is passed over in
silence: who sent it waits for ever. Threads do the waiting, for both may be files or terminals;
nobody waits for the threads.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from functools import partial
from queue import SimpleQueue
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp.types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from hermes.mcp.lines import LARGEST_MESSAGE, Lines, TooLong, id_in

_PIECE = 64 * 1024
_GRACE = 10.0
"""Seconds for the answers to what came before the end of the input."""
_LAST_LINES = 2.0

Heard = MemoryObjectReceiveStream[SessionMessage | Exception]
Say = MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def streams(source: int, sink: int) -> AsyncIterator[tuple[Heard, Say]]:
    """What comes in on one descriptor and goes out on the other. A reader that has gone is the
    end of the input."""
    heard_in, heard = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    say, said = anyio.create_memory_object_stream[SessionMessage](0)
    pipe = _Pipe(heard_in, say.clone())
    writing = asyncio.create_task(pipe.write(said, _Writer(sink)))
    loop = asyncio.get_running_loop()
    threading.Thread(target=_read, args=(source, pipe, loop), daemon=True).start()
    try:
        yield heard, say
    finally:
        pipe.close()
        say.close()
        await asyncio.wait({writing}, timeout=_LAST_LINES)
        writing.cancel()
        heard.close()
        said.close()


class _Pipe:
    """Knows which requests are not answered yet."""

    def __init__(
        self, heard: MemoryObjectSendStream[SessionMessage | Exception], complain: Say
    ) -> None:
        self._heard = heard
        self._complain = complain
        self._open: set[int | str] = set()
        self._answered = asyncio.Event()

    async def take(self, line: bytes | TooLong) -> None:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # it has ended
            try:
                message = _message(line)
            except _Unreadable as error:
                await self._complain.send(SessionMessage(error.answer))
                return
            if isinstance(message, JSONRPCRequest):
                self._open.add(message.id)
            elif isinstance(message, JSONRPCNotification):
                self._cancel(message)
            await self._heard.send(SessionMessage(message))

    async def end(self) -> None:
        """Nothing more comes; what came is answered first."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                while self._open:
                    self._answered.clear()
                    await self._answered.wait()
        self.close()

    async def write(self, said: MemoryObjectReceiveStream[SessionMessage], writer: _Writer) -> None:
        async for sent in said:
            line = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
            if not await writer.write(line.encode() + b"\n"):
                self._open.clear()
                self.close()
            answer = sent.message
            if isinstance(answer, JSONRPCResponse | JSONRPCError) and answer.id is not None:
                self._open.discard(answer.id)
            self._answered.set()

    def close(self) -> None:
        self._heard.close()
        self._complain.close()

    def _cancel(self, message: JSONRPCNotification) -> None:
        """Who does not want an answer any more may get none."""
        which = (message.params or {}).get("requestId")
        if message.method == "notifications/cancelled" and isinstance(which, int | str):
            self._open.discard(which)
            self._answered.set()


class _Writer:
    """Writes on a thread of its own: who does not read may keep it waiting, and nothing else."""

    def __init__(self, sink: int) -> None:
        self._sink = sink
        self._queue: SimpleQueue[tuple[bytes, Future[bool]]] = SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    async def write(self, data: bytes) -> bool:
        """False where nobody reads any more."""
        promised: Future[bool] = Future()
        self._queue.put((data, promised))
        return await asyncio.wrap_future(promised)

    def _run(self) -> None:
        while True:
            data, promised = self._queue.get()
            if promised.set_running_or_notify_cancel():
                promised.set_result(self._written(data))

    def _written(self, data: bytes) -> bool:
        try:
            while data:
                data = data[os.write(self._sink, data) :]
        except OSError:
            return False
        return True


class _Unreadable(Exception):
    """Carries the answer for whoever sent it."""

    def __init__(self, code: int, said: str, which: int | str | None) -> None:
        super().__init__(said)
        error = ErrorData(code=code, message=said)
        self.answer = JSONRPCError(jsonrpc="2.0", id=which, error=error)


def _message(line: bytes | TooLong) -> JSONRPCMessage:
    if isinstance(line, TooLong):
        said = f"a message has at most {LARGEST_MESSAGE // 2**20} MB"
        raise _Unreadable(INVALID_REQUEST, said, id_in(line.head, line.tail))
    try:
        return jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        broken = error.errors(include_input=False)[0]["type"] == "json_invalid"
        code, said = (PARSE_ERROR, "JSON") if broken else (INVALID_REQUEST, "message of JSON-RPC")
        raise _Unreadable(code, f"the line is no {said}", id_in(line, line)) from error


def _read(source: int, pipe: _Pipe, loop: asyncio.AbstractEventLoop) -> None:
    """Waits for each line to be taken: what nobody has time for stays in the pipe."""
    lines = Lines()
    with suppress(RuntimeError):  # the loop has ended, and so does this
        while piece := _piece(source):
            for line in lines.fed(piece):
                _do(loop, partial(pipe.take, line))
        _do(loop, pipe.end)


def _do(loop: asyncio.AbstractEventLoop, call: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Wait until the loop has done it. The loop makes the coroutine: one that is made here and
    never begun, because the loop ends, would be complained about."""
    ended = threading.Event()
    begun: list[asyncio.Task[None]] = []

    def begin() -> None:
        task = loop.create_task(call())
        task.add_done_callback(lambda _: ended.set())
        begun.append(task)

    loop.call_soon_threadsafe(begin)
    ended.wait()


def _piece(source: int) -> bytes:
    try:
        return os.read(source, _PIECE)
    except OSError:  # a terminal that was closed
        return b""
