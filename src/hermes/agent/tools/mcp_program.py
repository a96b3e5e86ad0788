"""An MCP server that is a program of this machine: started, spoken to by lines, and ended.

It gets an environment of its own, so none of our keys; a message may be only so long, whatever the
program sends; and what it prints besides messages is passed over.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.client._transport import TransportStreams
    from mcp.shared.message import SessionMessage

LARGEST_MESSAGE = 16 * 1024 * 1024
_TAIL = 200  # characters of what it last said on its standard error
_GRACE = 1.0  # seconds for each of: to leave by itself, to obey a signal
_INHERITED = ("HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "TERM", "TMPDIR", "TZ", "USER")


def plain_environment(ours: Mapping[str, str]) -> dict[str, str]:
    """What any program needs of our environment; no key is among it."""
    return {name: ours[name] for name in _INHERITED if name in ours}


@dataclass(slots=True)
class Ending:
    """Why nothing comes any more, as far as that is known; `said` is its last standard error."""

    reason: str = ""
    said: str = ""

    def __str__(self) -> str:
        said = " ".join(self.said.split())[-_TAIL:]
        return "; it said: ".join(part for part in (self.reason, said) if part)


@asynccontextmanager
async def program(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], ending: Ending
) -> AsyncGenerator[TransportStreams, None]:
    """The two streams that the client of `mcp` talks through; the program is dead afterwards."""
    import anyio
    from mcp.shared.message import SessionMessage

    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=folder,
        env=dict(environment),
        limit=LARGEST_MESSAGE,
        start_new_session=True,  # a Ctrl-C in the chat is not for it
    )
    heard, hear = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    say, said = anyio.create_memory_object_stream[SessionMessage](0)
    tasks = [
        asyncio.create_task(_read(process, heard, ending)),
        asyncio.create_task(_write(process, said)),
        asyncio.create_task(_keep_tail(process, ending)),
    ]
    try:
        yield hear, say
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await _drain(process)
            for stream in (heard, hear, say, said):
                stream.close()


async def _read(
    process: asyncio.subprocess.Process,
    heard: MemoryObjectSendStream[SessionMessage | Exception],
    ending: Ending,
) -> None:
    import anyio

    assert process.stdout is not None
    with heard, suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:  # nothing after it could be read as a message
                ending.reason = f"it sent more than {LARGEST_MESSAGE // 2**20} MB at once"
                return
            if not line:
                ending.reason = ending.reason or "it ended"
                return
            message = _message(line)
            if message is not None:
                await heard.send(message)


def _message(line: bytes) -> SessionMessage | None:
    """None for what is no message: a program that prints to its standard output is no reason to
    stop listening to it."""
    from mcp.shared.message import SessionMessage
    from mcp.types import jsonrpc_message_adapter

    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        return None


async def _write(
    process: asyncio.subprocess.Process, said: MemoryObjectReceiveStream[SessionMessage]
) -> None:
    """A program that is gone is noticed by the reader."""
    assert process.stdin is not None
    with said, suppress(ConnectionError):
        async for sent in said:
            line = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
            process.stdin.write(line.encode("utf-8", "replace") + b"\n")
            await process.stdin.drain()


async def _keep_tail(process: asyncio.subprocess.Process, ending: Ending) -> None:
    assert process.stderr is not None
    while piece := await process.stderr.read(8192):
        ending.said = (ending.said + piece.decode(errors="replace"))[-10 * _TAIL :]


async def _end(process: asyncio.subprocess.Process) -> None:
    """Its input closed, then asked, then killed, with everything it started."""
    assert process.stdin is not None
    process.stdin.close()
    for number in (signal.SIGTERM, signal.SIGKILL):
        if await _has_left(process):
            break
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await _has_left(process)


async def _drain(process: asyncio.subprocess.Process) -> None:
    """Pipes that are read to their end are closed; one that a grandchild holds is left to it."""
    import anyio

    with anyio.move_on_after(_GRACE):
        for pipe in (process.stdout, process.stderr):
            while pipe is not None and await pipe.read(LARGEST_MESSAGE):
                pass


async def _has_left(process: asyncio.subprocess.Process) -> bool:
    """Not `wait`, which also waits for pipes that a grandchild may hold."""
    deadline = asyncio.get_running_loop().time() + _GRACE
    while process.returncode is None:
        if asyncio.get_running_loop().time() > deadline:
            return False
        await asyncio.sleep(0.01)
    return True
