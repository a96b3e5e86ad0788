"""The lines of a log, one at a time, plain or compressed; a line too long is never held."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from hermes.errors import MissingPart

MAX_LINE = 64 * 1024 * 1024
"""Bytes of a line, or of a document in one piece; what is longer is reported and left out."""

_BUFFER = 1024 * 1024
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


class Line(NamedTuple):
    """`data` is None for a line longer than the cap. `ended` is False for a last line cut off."""

    number: int
    offset: int
    data: bytes | None
    ended: bool


@contextmanager
def open_log(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a log. Raises OSError, also for a compressed file that is damaged."""
    with path.open("rb", buffering=_BUFFER) as raw:
        magic = raw.read(len(_ZSTD_MAGIC))
        raw.seek(0)
        if magic != _ZSTD_MAGIC:
            yield raw
            return
        with _decompressed(raw) as stream:
            yield stream


def read_lines(stream: IO[bytes], cap: int = MAX_LINE) -> Iterator[Line]:
    """Every line that is not blank."""
    number = offset = 0
    while piece := stream.readline(cap + 1):
        number += 1
        length = len(piece)
        data: bytes | None = piece
        ended = piece.endswith(b"\n")
        if length > cap and not ended:
            data = None
            while not ended and (piece := stream.readline(_BUFFER)):
                length += len(piece)
                ended = piece.endswith(b"\n")
        if data is None or not data.isspace():
            yield Line(number, offset, data, ended)
        offset += length


def read_document(path: Path, cap: int = MAX_LINE) -> bytes | None:
    """A file that is one JSON value; None when it is too large to be read in one piece."""
    with open_log(path) as stream:
        data = stream.read(cap + 1)
    return data if len(data) <= cap else None


@contextmanager
def _decompressed(raw: IO[bytes]) -> Iterator[IO[bytes]]:
    if sys.version_info >= (3, 14):
        from compression import zstd

        faults: tuple[type[Exception], ...] = (zstd.ZstdError, EOFError)
        reader = zstd.open(raw, "rb")
    else:
        try:
            import zstandard
        except ImportError as error:
            raise MissingPart(
                "reading compressed logs needs the package zstandard", hint="pip install zstandard"
            ) from error
        faults = (zstandard.ZstdError,)
        reader = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
    try:
        yield io.BufferedReader(reader, _BUFFER)
    except faults as error:
        raise OSError(f"damaged zstd data: {error}") from error
