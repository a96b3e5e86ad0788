"""Settings that ship with a package: hooks, tool servers, permissions → effects and commands."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator

from hermes.rules.scan.destinations import host_of, is_strange
from hermes.rules.scan.effects import Effect, Kind, Piece, Surface
from hermes.rules.scan.holdings import KEY_NAME
from hermes.rules.scan.shell import destination

_DEPTH = 20
_GRANTED = re.compile(r"\"Bash(?:\(\*?\))?\"|dangerouslySkip|autoApprove|alwaysAllow")


def settings_effects(piece: Piece) -> Iterator[Effect]:
    """What a settings text grants, and which keys it hands to which host."""
    if "bypassPermissions" in piece.text:
        yield piece.effect(Kind.GUARD_OFF, what="bypassPermissions switches every question off")
    elif _GRANTED.search(piece.text):
        yield piece.effect(Kind.GUARD_OFF, what="permissions granted in advance")
    for entry in _entries(_parsed(piece.text)):
        environment = entry.get("env")
        host = destination(_command(entry) + " " + str(entry.get("url", "")))
        if not isinstance(environment, dict) or not host or not is_strange(host):
            continue
        for name in environment:
            if KEY_NAME.search(str(name)) and str(name).split("_")[0].lower() not in host_of(host):
                yield piece.effect(Kind.LEAK, _line(piece, str(name)), what=str(name), host=host)


def settings_commands(piece: Piece) -> Iterator[Piece]:
    """The commands a settings text would run."""
    for entry in _entries(_parsed(piece.text)):
        command = _command(entry)
        if command:
            yield piece.part(command, _line(piece, command[:20]), Surface.SNIPPET, "shell")


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None  # the syntax check tells that; here there is simply nothing to read


def _entries(data: object, depth: int = 0) -> Iterator[dict[str, object]]:
    """Every mapping in a nested text."""
    if depth > _DEPTH:
        return
    if isinstance(data, dict):
        yield data
    children = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    for child in children:
        yield from _entries(child, depth + 1)


def _command(entry: dict[str, object]) -> str:
    for key in ("command", "cmd", "run", "script"):
        said = entry.get(key)
        if isinstance(said, list):
            said = shlex.join(str(part) for part in said)
        if isinstance(said, str):
            arguments = entry.get("args")
            extra = arguments if isinstance(arguments, list) else []
            return " ".join([said, shlex.join(str(part) for part in extra)]).strip()
    return ""


def _line(piece: Piece, word: str) -> int:
    return piece.text.count("\n", 0, max(0, piece.text.find(word)))
