"""What of a run may be stored, and how: no credential, nothing a database refuses, nothing huge."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from hermes.records.codec import Json
from hermes.rules.actions.reading import action_of
from hermes.rules.plain_text import is_storable
from hermes.rules.redact.credentials import without_credentials

LONGEST_OUTPUT = 64 * 1024
LONGEST_ARGUMENT = 256 * 1024
_LONGEST_READ = 1024 * 1024  # characters in which credentials are looked for before the cut
_LINE = 160
_PAGE = 48 * 1024  # characters of a text that may well come again: a file that is read twice
_DEEPEST = 24  # levels of nested arguments


def stored_text(text: str) -> str:
    """The text without credentials and without characters that a database refuses."""
    if len(text) <= _LINE:
        return _short_text(text)
    return _page_text(text) if len(text) <= _PAGE else _any_text(text)


def _any_text(text: str) -> str:
    if len(text) > _LONGEST_READ:
        text, _ = shortened(text, _LONGEST_READ)
    if not is_storable(text):
        text = text.replace("\0", "").encode("utf-8", "replace").decode()
    return without_credentials(text)


_short_text = lru_cache(maxsize=4_096)(_any_text)  # names and paths come again and again
_page_text = lru_cache(maxsize=64)(_any_text)


def stored_name(path: str) -> str:
    """A file's name, part by part: in a longer text a slash may as well belong to base64."""
    return "/".join(map(stored_text, path.split("/")))


def shortened(text: str, limit: int) -> tuple[str, bool]:
    """The text without its middle where it is too long, saying so; and whether it was."""
    if len(text) <= limit:
        return text, False
    half = limit // 2
    left_out = len(text) - 2 * half
    return f"{text[:half]}\n[… {left_out} characters left out …]\n{text[-half:]}", True


def stored_value(value: Json, depth: int = 0) -> tuple[Any, bool]:
    """A nested value with every text in it fit to be stored; whether something was left out."""
    if depth > _DEEPEST:
        return None, True
    if isinstance(value, str):
        return shortened(stored_text(value), LONGEST_ARGUMENT)
    if isinstance(value, dict):
        cleaned = {
            stored_text(str(key)): stored_value(inner, depth + 1) for key, inner in value.items()
        }
        return {k: v for k, (v, _) in cleaned.items()}, any(cut for _, cut in cleaned.values())
    if isinstance(value, list):
        items = [stored_value(inner, depth + 1) for inner in value]
        return [item for item, _ in items], any(cut for _, cut in items)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value), False
    return value, False


def call_line(tool: str, arguments: Mapping[str, Json]) -> str:
    """A call as one line that a person can read."""
    action = action_of(tool, arguments)
    said = action.path or action.text
    first = said.strip().split("\n", 1)[0]
    return f"{tool}: {first[:_LINE]}" if first else tool
