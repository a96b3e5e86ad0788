"""Messages between the examiner and its child: eight bytes of length, then that many bytes."""

from __future__ import annotations

import struct
from typing import BinaryIO

_LENGTH = struct.Struct(">Q")


def write_frame(out: BinaryIO, data: bytes) -> None:
    out.write(_LENGTH.pack(len(data)) + data)
    out.flush()


def read_frame(source: BinaryIO) -> bytes | None:
    """The next message; None at the end, also when the end comes in the middle of one."""
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = source.read(length)
    return data if len(data) == length else None
