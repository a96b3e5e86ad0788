"""Runs the application until somebody ends it."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hermes.errors import MissingPart, OperatorError
from hermes.web.address import own_address

if TYPE_CHECKING:
    from uvicorn import Server

    from hermes.app.warm_memory import WarmMemory

_GRACE = 10  # seconds that requests in progress have when the server is ended


def serve(
    opened: Callable[[], WarmMemory],
    host: str,
    port: int,
    *,
    say: Callable[[str], None],
    crashed: Callable[[Exception], str],
) -> None:
    """Returns after SIGINT or SIGTERM; port 0 takes any that is free.

    The memory is opened once the port is ours, and closed in the end. `crashed` is told of what
    nobody expected, and words it.
    """
    try:
        import uvicorn

        from hermes.web.application import PREFIX, application
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("fastapi", "uvicorn"):
            raise
        raise MissingPart(
            f"{error.name} is not installed", hint="pip install 'hermes-loop[web]'"
        ) from error

    with _listening(host, port) as listener:
        memory = opened()
        try:
            config = uvicorn.Config(
                application(memory, crashed),
                http="h11",
                ws="none",
                loop="asyncio",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=_GRACE,
            )
            name, taken = listener.getsockname()[:2]
            where = f"http://{f'[{name}]' if ':' in name else name}:{taken}{PREFIX}"
            server = uvicorn.Server(config)
            with _ended_by_signals(server):
                say(f"at {where}, open to whoever is on this machine: no users are defined")
                server.run(sockets=[listener])
        finally:
            memory.close()


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """Taken before anything is opened, so that a port in use costs nothing."""
    address = own_address(host)
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # Named as TCP, or asyncio does not see that it is, and every answer waits 40 ms for the last.
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((address, port))
            listener.listen(1024)
        except OSError as error:
            raise OperatorError(
                f"cannot listen on {address}, port {port}: {error.strerror}",
                hint="choose another with --port, or end what uses it",
            ) from error
        yield listener


@contextmanager
def _ended_by_signals(server: Server) -> Iterator[None]:
    """Also by one that comes before the server listens to signals itself. It raises them again
    when it has ended in order; being ended is no failure."""

    def end(*_: object) -> None:
        server.should_exit = True

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
