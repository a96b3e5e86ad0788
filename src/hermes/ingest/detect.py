"""Which format a file has, by its first bytes; which files could be logs, by their names.

An extension proves nothing: half of what agents keep is .json. A name only decides whether it is
worth a word when a file turns out to be no log.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from hermes.ingest.decoding import Malformed, decode
from hermes.ingest.fields import mapping, string
from hermes.ingest.lines import open_log
from hermes.ingest.sqlite_log import MAGIC, SqliteLog, columns
from hermes.records.codec import Json

MAX_FOLDER_DEPTH = 12

_SNIFFED = 256 * 1024
_SNIFFED_LINES = 20
_SUFFIXES = frozenset((".jsonl", ".ndjson", ".json", ".zst", ".db", ".sqlite", ".sqlite3"))
_LOG_NAMES = ("*.jsonl", "*.ndjson", "*.jsonl.zst", "session-*.json", "state.db", "opencode.db")
# Files that agents keep beside their logs, and parts of a log that its own reader finds.
_NEVER = ("history.jsonl", "session_index.jsonl", "msg_*.json", "prt_*.json", "*-wal", "*-shm")
_SKIPPED_FOLDERS = frozenset(("node_modules", "__pycache__", "site-packages", "venv"))
_AGENT_FOLDERS = frozenset(
    (".claude", ".codex", ".gemini", ".hermes", ".opencode", ".agents", ".local", ".config")
)
_CODEX_TYPES = frozenset(
    ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
)
_CODEX_LINE = re.compile(rb'"type"\s*:\s*"(session_meta|response_item)"')
_CLAUDE_FIELDS = frozenset(("uuid", "parentUuid", "leafUuid", "isSidechain"))
_CLAUDE_TYPES = frozenset(
    ("file-history-snapshot", "queue-operation", "permission-mode", "last-prompt", "custom-title")
)
_KEYS = re.compile(
    rb'"(schema_version|projectHash|conversations|messages|projectID)"\s*:\s*"?(ATIF)?'
)


def is_log_name(path: Path) -> bool:
    """Whether the name says that this is a log; then it is told when it is none."""
    return any(fnmatchcase(path.name, pattern) for pattern in _LOG_NAMES)


def log_files(root: Path) -> Iterator[Path]:
    """The files that could be logs, each folder's files before its folders: parents come first.

    Links are followed to files inside the root only. Raises OSError for a root that is not there.
    """
    if not root.is_dir():
        root.stat()
        yield root
        return
    yield from _walk(root, root.resolve(), MAX_FOLDER_DEPTH)


def _walk(folder: Path, root: Path, depth: int) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        yield folder  # opening it will tell why
        return
    inner = []
    for entry in entries:
        path = folder / entry.name
        if entry.is_dir(follow_symlinks=False):
            inner.append(path)
        elif _could_be_log(path) and _is_file_inside(path, root):
            yield path
    for path in inner if depth else ():
        if _is_worth_entering(path.name):
            yield from _walk(path, root, depth - 1)


def _could_be_log(path: Path) -> bool:
    never = any(fnmatchcase(path.name, pattern) for pattern in _NEVER)
    return path.suffix in _SUFFIXES and not never


def _is_file_inside(path: Path, root: Path) -> bool:
    try:
        real = path.resolve(strict=True) if path.is_symlink() else path
        return real.is_file() and (real is path or real.is_relative_to(root))
    except (OSError, RuntimeError):  # a link to itself or to nothing
        return True  # opening it will tell why


def _is_worth_entering(name: str) -> bool:
    return name not in _SKIPPED_FOLDERS and (not name.startswith(".") or name in _AGENT_FOLDERS)


def detect(path: Path) -> str | None:
    """The format of a file; None when it is no log we know. Raises OSError, also for damage."""
    with open_log(path) as stream:
        start = stream.read(_SNIFFED)
    if start.startswith(MAGIC):
        return _database_format(path)
    lines = start.split(b"\n")
    whole = lines if len(start) < _SNIFFED else lines[:-1]
    for line in whole[:_SNIFFED_LINES]:
        try:
            found = _format_of(decode(line)) if line.strip() else None
        except Malformed:
            continue
        if found is not None:
            return found
    return _by_keys(start)


def _database_format(path: Path) -> str | None:
    try:
        with SqliteLog(path).connect() as connection:
            if "tool_calls" in columns(connection, "messages") and columns(connection, "sessions"):
                return "hermes-agent"
            if "data" in columns(connection, "part") and columns(connection, "session"):
                return "opencode"
    except sqlite3.Error as error:
        if is_log_name(path):
            raise OSError(f"the database is damaged: {error}") from error
    return None


def _format_of(value: Json) -> str | None:
    """The format of one record, or of the list that it begins."""
    if isinstance(value, list):
        return _format_of(value[0]) if value and isinstance(value[0], dict) else None
    fields = mapping(value)
    kind = string(fields.get("type"))
    if string(fields.get("schema_version")).startswith("ATIF"):
        return "atif"
    if isinstance(fields.get("conversations"), list):
        return "sharegpt"
    if ("sessionId" in fields and "projectHash" in fields) or "$rewindTo" in fields:
        return "gemini"
    if kind in _CODEX_TYPES and "payload" in fields:
        return "codex"
    if "instructions" in fields and "id" in fields and "timestamp" in fields:
        return "codex"
    if (kind and _CLAUDE_FIELDS & fields.keys()) or kind in _CLAUDE_TYPES:
        return "claude-code"
    if isinstance(fields.get("messages"), list):
        return "openai"
    if string(fields.get("id")).startswith("ses_") and "projectID" in fields:
        return "opencode"
    return None


def _by_keys(start: bytes) -> str | None:
    """A document of many lines, or a first line too long to be seen whole: its keys tell."""
    if not start.lstrip().startswith((b"{", b"[")):
        return None
    keys = {match.group(1): match.group(2) for match in _KEYS.finditer(start)}
    if keys.get(b"schema_version"):
        return "atif"
    if b"projectHash" in keys:
        return "gemini"
    if _CODEX_LINE.search(start):
        return "codex"
    if b'"parentUuid"' in start and b'"sessionId"' in start:
        return "claude-code"
    if b"conversations" in keys and b'"value"' in start:
        return "sharegpt"
    if b"messages" in keys and b'"role"' in start:
        return "openai"
    if b"projectID" in keys and b'"ses_' in start:
        return "opencode"
    return None
