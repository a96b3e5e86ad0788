"""The logs under a path → conversations, whatever agent wrote them. The readers' one door."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from hermes.errors import NotFound, WrongCall
from hermes.ingest.conversation import UNKNOWN_SOURCE, Conversation, unreadable
from hermes.ingest.detect import detect, is_log_name, log_files
from hermes.ingest.formats import (
    atif,
    claude_code,
    codex,
    gemini,
    hermes_agent,
    openai_chat,
    opencode,
    opencode_parts,
    sharegpt,
)
from hermes.ingest.turns import Turn

AUTO = "auto"

_READERS: dict[str, Callable[[Path], Iterator[Conversation]]] = {
    claude_code.SOURCE: claude_code.read,
    codex.SOURCE: codex.read,
    hermes_agent.SOURCE: hermes_agent.read,
    gemini.SOURCE: gemini.read,
    opencode_parts.SOURCE: opencode.read,
    atif.SOURCE: atif.read,
    sharegpt.SOURCE: sharegpt.read,
    openai_chat.SOURCE: openai_chat.read,
}
FORMATS = (AUTO, *_READERS)
"""What `--format` takes."""


def conversations(path: Path, format: str = AUTO) -> Iterator[Conversation]:
    """Every conversation in a file or under a folder; the turns of each are read as it is used.

    A file that cannot be read comes as a conversation without turns that names the problem.
    Raises NotFound for a path that is not there, and WrongCall for a format nobody knows.
    """
    if format not in FORMATS:
        raise WrongCall(f"there is no log format '{format}'", hint=f"one of {', '.join(FORMATS)}")
    try:
        path.stat()
    except OSError as error:
        raise NotFound(f"{path}: {error.strerror}") from error
    return _under(path, format)


def _under(path: Path, format: str) -> Iterator[Conversation]:
    for file in log_files(path):
        yield from _in_file(file, format, named=file == path)


def _in_file(file: Path, format: str, *, named: bool) -> Iterator[Conversation]:
    try:
        if file.is_file() and file.stat().st_size == 0:
            return  # an agent has just begun it
        found = detect(file) if format == AUTO else format
        if found is None:
            if named or is_log_name(file):
                yield unreadable(file, UNKNOWN_SOURCE, "no log of a known format")
            return
        for conversation in _READERS[found](file):
            conversation.turns = _guarded(conversation)
            yield conversation
    except OSError as error:
        yield unreadable(file, UNKNOWN_SOURCE, f"cannot be read: {error.strerror or error}")


def _guarded(conversation: Conversation) -> Iterator[Turn]:
    """A disk that fails in the middle of a log ends that log, not the import."""
    turns = conversation.turns

    def read() -> Iterator[Turn]:
        try:
            yield from turns
        except OSError as error:
            conversation.note(0, f"cannot be read further: {error.strerror or error}")

    return read()
