"""What an endpoint answered: unit vectors, or what is wrong with them in words."""

from __future__ import annotations

import json
from typing import Any, Protocol

from hermes.errors import EmbedderUnavailable

_SHOWN = 200  # characters of what a server said


class Promised(Protocol):
    """What the settings say about an endpoint."""

    @property
    def base_url(self) -> str: ...
    @property
    def dimensions(self) -> int: ...


def unit_vectors(body: bytes, count: int, promised: Promised) -> list[bytes]:
    """One vector of length 1 a text, in the order of the texts. Raises EmbedderUnavailable."""
    import numpy as np

    rows = _rows(body, count, promised)
    for row in rows:
        if len(row) != promised.dimensions:
            raise EmbedderUnavailable(
                f"the embedder at {promised.base_url} answers with {len(row)} dimensions,"
                f" not {promised.dimensions}",
                hint=f"set dimensions of memory.embedder to {len(row)}",
            )
    try:
        matrix = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise _nonsense(promised, "something else than numbers") from error
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and lengths.all()):
        raise _nonsense(promised, "a vector that points nowhere")
    return [row.tobytes() for row in (matrix / lengths).astype("<f4")]


def said_in(body: bytes, key: str | None) -> str:
    """The server's own words on one short line, without the key, which some repeat."""
    try:
        read = json.loads(body)
        error = read.get("error", read)
        words = error.get("message", "") if isinstance(error, dict) else error
    except (ValueError, AttributeError, RecursionError):
        words = body[: 4 * _SHOWN].decode("utf-8", "replace")
    line = "".join(c if c.isprintable() else " " for c in str(words or ""))
    if key:
        line = line.replace(key, "********")
    line = " ".join(line.split())
    return f": {line[:_SHOWN]}" if line else ""


def _rows(body: bytes, count: int, promised: Promised) -> list[list[Any]]:
    """The lists of numbers by the index that each says it has."""
    try:
        data = json.loads(body)["data"]
        by_index = {item.get("index", at): item["embedding"] for at, item in enumerate(data)}
        rows = [by_index[at] for at in range(count)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _nonsense(promised, "no list of embeddings") from error
    if len(data) != count or not all(isinstance(row, list) and row for row in rows):
        raise _nonsense(promised, "other embeddings than it was asked for")
    if not all(isinstance(number, int | float) for row in rows for number in row):
        raise _nonsense(promised, "something else than numbers")
    return rows


def _nonsense(promised: Promised, what: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(
        f"the embedder at {promised.base_url} answers with {what}",
        hint="is base_url that of an OpenAI-compatible server, with its /v1?",
    )
