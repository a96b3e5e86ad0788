"""A text and what is hidden in it: letters with nothing between them, and other alphabets."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

_ENCODED = re.compile(r"(?<![\w/+.-])[A-Za-z0-9+/_-]{16,}={0,2}(?![\w/+])")
_HEX = re.compile(r"(?<![\w#-])(?:[0-9a-fA-F]{2}){10,}(?!\w)")
_ESCAPED = re.compile(r"(?:\\x[0-9a-fA-F]{2}|\\u00[0-9a-fA-F]{2}){6,}")
_ESCAPE = re.compile(r"\\x|\\u00")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2}[\w.\-/:]{0,2}){6,}")
_SPACED = re.compile(r"(?<!\w)(?:\w ){4,}\w(?!\w)")
_MIXED = re.compile(r"\b(?=\w*[a-z])(?=\w*[013457])[a-z013457]+\b", re.IGNORECASE)
_FIGURES_AS_LETTERS = str.maketrans("013457", "oieast")
_TURNED = re.compile(r"\brot-?13\b|\bcaesar\b", re.IGNORECASE)
_RUNS = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+")
_MOST = 60  # encoded words that are read


def unveiled(text: str) -> Iterator[str]:
    """The text as it reads, then what each encoded part of it says."""
    composed = unicodedata.normalize("NFKC", text)
    plain = composed if text.isascii() else "".join(c for c in composed if _is_seen(c))
    yield plain
    if len(plain) < len(composed):  # nothing may have stood where a space was meant
        yield _RUNS.sub(lambda run: " " if len(run[0]) > 1 else "", composed)
    if _TURNED.search(plain):
        yield codecs.encode(plain, "rot13")
    if len(_MIXED.findall(plain)) > 1:
        yield plain.translate(_FIGURES_AS_LETTERS)
    for escapes in _ESCAPED.findall(plain):
        yield bytes.fromhex(_ESCAPE.sub("", escapes)).decode("utf-8", "replace")
    for escapes in _PERCENT.findall(plain):
        yield unquote(escapes)
    if _SPACED.search(plain):
        yield _SPACED.sub(lambda word: word[0].replace(" ", ""), plain)
    encoded = [*_HEX.findall(plain)[:_MOST], *_ENCODED.findall(plain)[:_MOST]]
    for said in map(_decoded, encoded):
        if said is not None:
            yield said


def _is_seen(character: str) -> bool:
    """Joiners, marks of direction and their like are there for the eye only."""
    return unicodedata.category(character) != "Cf"


def _decoded(word: str) -> str | None:
    """What a word says in letters; None where it says nothing."""
    try:
        if _HEX.fullmatch(word):
            data = bytes.fromhex(word)
        else:
            bare = word.replace("-", "+").replace("_", "/").rstrip("=")
            data = base64.b64decode(bare + "=" * (-len(bare) % 4))
        said = data.decode("utf-8")
    except (ValueError, binascii.Error):
        return None
    shown = sum(c.isprintable() or c.isspace() for c in said)
    return said if len(said) >= 8 and shown == len(said) else None
