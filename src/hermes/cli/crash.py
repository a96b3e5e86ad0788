"""What is left of an unexpected error: a log with the traceback, and one line that says where."""

from __future__ import annotations

import os
import platform
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hermes import __version__
from hermes.errors import ConfigError, HermesError
from hermes.settings import load, locate, private_folder

if TYPE_CHECKING:
    from hermes.cli.command import Call


def record(
    error: Exception, words: Sequence[str], environ: Mapping[str, str] | None, home: str | None
) -> HermesError:
    """Write the traceback to the logs, or to stderr where that is impossible; what to tell."""
    hide = _hiding_secrets(environ, home)
    report = hide(_report(error, words))
    said = hide(f"unexpected {type(error).__name__}: {error}")
    try:
        folder = private_folder(locate(environ, home=home).logs_dir)
        file = folder / f"crash-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}-{os.getpid()}.log"
        with open(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as log:
            log.write(report)
    except (ConfigError, OSError):
        print(report, file=sys.stderr)
        return HermesError(said, hint="the traceback is above: no log could be written")
    return HermesError(said, hint=f"the traceback is in {file}")


def reporter(call: Call, command: str) -> Callable[[Exception], str]:
    """For a command that goes on: each fault is written down, told on stderr, and worded for
    whoever asked, without the path of the log."""

    def crashed(error: Exception) -> str:
        told = record(error, [command], call.environ, call.home)
        call.out.note(str(told))
        return told.message

    return crashed


def _report(error: Exception, words: Sequence[str]) -> str:
    """Only the name of the command: its arguments may be somebody's private text."""
    head = f"hermes-loop {__version__}, Python {platform.python_version()}, {sys.platform}"
    command = words[0] if words else "(none)"
    return f"{head}\ncommand: {command}\n\n{''.join(traceback.format_exception(error))}"


def _hiding_secrets(environ: Mapping[str, str] | None, home: str | None) -> Callable[[str], str]:
    """A library's error may quote the key it was given; neither log nor screen shall."""
    try:
        settings = load(environ, home=home)
    except HermesError:  # then no secret was read, and none can be quoted
        return str
    given = (
        settings.openai_api_key,
        settings.anthropic_api_key,
        settings.embedder_api_key,
        settings.database_url,
    )
    secrets = [one for one in given if one is not None]

    def hide(text: str) -> str:
        for secret in secrets:
            text = text.replace(secret.reveal(), str(secret))
        return text

    return hide
