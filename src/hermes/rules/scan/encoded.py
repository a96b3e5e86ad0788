"""Finds text inside text: base64, hexadecimal, escapes, numbers, percent signs.

What is found is handed back as a piece of its own, so that an instruction does not become harmless
by being written in another alphabet. Pictures and hashes decode to nothing readable and are left.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from urllib.parse import unquote

from hermes.rules.scan.effects import Piece, Surface

_BASE64 = re.compile(r"(?<![\w/+.-])[A-Za-z0-9+/_-]{20,}={0,2}(?![\w/+])")
_HEX = re.compile(r"(?<![\w#-])(?:[0-9a-fA-F]{2}){12,}(?!\w)")
_ESCAPES = re.compile(r"(?:\\x[0-9a-fA-F]{2}|\\u00[0-9a-fA-F]{2}){6,}")
_NUMBERS = re.compile(r"(?:\b\d{2,3}\s*,\s*){7,}\d{2,3}\b")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2}[\w.\-/:]{0,2}){8,}")
_SHELLISH = re.compile(
    r"(?i)https?://|\bcurl\b|\bwget\b|/bin/|\bimport\s|\beval\b|\bexec\b|powershell|\bsystem\b|instruction|\buser\b|\.env\b|~/\.|\bsend\b|\brun\b"
)
MAX_DECODED = 60


def hidden_texts(piece: Piece) -> Iterator[Piece]:
    """Readable texts that are encoded in this one and say something that matters."""
    found = 0
    for pattern, decode in (
        (_BASE64, _from_base64),
        (_HEX, _from_hex),
        (_ESCAPES, _from_escapes),
        (_NUMBERS, _from_numbers),
        (_PERCENT, unquote),
    ):
        for match in pattern.finditer(piece.text):
            said = decode(match[0])
            if said and said != match[0] and _readable(said) and _SHELLISH.search(said):
                found += 1
                if found > MAX_DECODED:
                    return
                offset = piece.text.count("\n", 0, match.start())
                yield piece.part(said, offset, Surface.DECODED)


def _readable(text: str) -> bool:
    shown = sum(c.isprintable() or c in "\n\t\r" for c in text)
    return len(text) >= 8 and shown / len(text) > 0.95


def _from_base64(text: str) -> str:
    plain = text.replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4)).decode("utf-8")
    except (ValueError, binascii.Error):
        return ""


def _from_hex(text: str) -> str:
    return bytes.fromhex(text).decode("utf-8", "replace")


def _from_escapes(text: str) -> str:
    return "".join(chr(int(code, 16)) for code in re.findall(r"(?:x|u00)([0-9a-fA-F]{2})", text))


def _from_numbers(text: str) -> str:
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    return "".join(chr(n) for n in numbers) if all(9 <= n < 256 for n in numbers) else ""
