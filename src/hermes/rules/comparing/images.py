"""Pictures: their format and size must agree; their pixels are only reported.

Another version of a drawing library, or another font, changes pixels and not what is shown.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from hermes.ids import content_hash
from hermes.rules.comparing.comparison import Comparison, Sameness, different, uncomparable

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_BARE = frozenset((0x01, *range(0xD0, 0xD9)))


class Picture(NamedTuple):
    format: str
    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.format} of {self.width}×{self.height}"


def compare_images(recorded: bytes, replayed: bytes) -> Comparison:
    """A note says whether the bytes agree too."""
    before, after = picture_of(recorded), picture_of(replayed)
    if before is None:
        return uncomparable("the recorded picture has no format that is known here")
    if after is None:
        return different(f"recorded {before}, replayed no picture")
    if before != after:
        return different(f"recorded {before}, replayed {after}")
    equal = content_hash(recorded) == content_hash(replayed)
    note = "byte for byte" if equal else f"{before} on both sides, other pixels"
    return Comparison(outcome=Sameness.SAME, note=note)


def picture_of(data: bytes) -> Picture | None:
    """Format and size from the first bytes; None for what is not PNG, GIF, JPEG or WebP."""
    try:
        if data.startswith(_PNG) and data[12:16] == b"IHDR":
            return Picture("PNG", *struct.unpack(">II", data[16:24]))
        if data[:6] in (b"GIF87a", b"GIF89a"):
            return Picture("GIF", *struct.unpack("<HH", data[6:10]))
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data)
    except (struct.error, IndexError):
        return None  # it breaks off inside its own header
    return None


def _jpeg(data: bytes) -> Picture | None:
    """The size stands in the first frame, behind segments that each say how long they are."""
    at = 2
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # a byte of filling
            at += 1
        elif marker in _JPEG_BARE:
            at += 2
        elif marker in _JPEG_SIZES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return Picture("JPEG", width, height)
        else:
            at += 2 + int(struct.unpack(">H", data[at + 2 : at + 4])[0])
    return None


def _webp(data: bytes) -> Picture | None:
    kind = data[12:16]
    if kind == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        return Picture("WebP", width, int.from_bytes(data[27:30], "little") + 1)
    if kind == b"VP8L":
        bits = int(struct.unpack("<I", data[21:25])[0])
        return Picture("WebP", (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return Picture("WebP", width & 0x3FFF, height & 0x3FFF)
    return None
