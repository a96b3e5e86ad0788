"""`hermes serve`: the REST API, for programs on this machine."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.cli.command import Call, Command
from hermes.cli.crash import reporter
from hermes.cli.exits import UsageError
from hermes.errors import WrongCall
from hermes.web.address import own_address
from hermes.web.serving import serve

if TYPE_CHECKING:
    from hermes.app.warm_memory import WarmMemory

_PORT = 8080


def _run(call: Call) -> None:
    try:
        address = own_address(call.args.host)
    except WrongCall as error:
        raise UsageError(f"--host: {error.message}", hint=error.hint) from error
    settings = call.settings

    def opened() -> WarmMemory:
        from hermes.app.warm_memory import WarmMemory

        return WarmMemory(settings, Path.cwd())

    crashed = reporter(call, "serve")
    serve(opened, address, call.args.port, say=call.out.note, crashed=crashed)


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) <= 65_535:
        return int(text)
    raise ArgumentTypeError(f"expected a port from 0 (any that is free) to 65535, found {text!r}")


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="one of this machine's own (127.0.0.1)",
    )
    parser.add_argument(
        "--port", type=_port, default=_PORT, metavar="N", help=f"0 takes any ({_PORT})"
    )


COMMAND = Command(run=_run, arguments=_arguments)
