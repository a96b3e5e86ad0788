"""The few lines of YAML we write, in the one form that every reader of skills agrees on.

Block style, one line a field, text either plain beyond doubt or double-quoted. `---` never appears
inside a value, because the reference reader cuts the file at it wherever it stands: the third
hyphen is written as an escape, so that the value is still the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 ,.()/_-]{0,119}")
# Words that some version of YAML takes for a truth value, nothing or a number.
_TYPED = frozenset(
    ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nan", "inf"]
)
# Quotes, and whatever a reader or an eye could miss: control, invisible and private characters.
_ESCAPED = re.compile(
    '["\\\\\x00-\x1f\x7f-\xa0\xad\u2000-\u200f\u2028-\u202f\u205f-\u206f'
    "\ud800-\uf8ff\ufdd0-\ufdef\ufeff\ufff0-\uffff\U000e0000-\U0010ffff]"
)
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def field(key: str, value: str | Mapping[str, str]) -> str:
    """One field, with its line end; a mapping is written one level deep."""
    if isinstance(value, str):
        return f"{scalar(key)}: {scalar(value)}\n"
    lines = [f"  {scalar(name)}: {scalar(text)}\n" for name, text in value.items()]
    return "".join([f"{scalar(key)}:\n", *lines])


def scalar(text: str) -> str:
    """A text that reads back as itself, and as text, with every YAML reader."""
    if _is_plain(text):
        return text
    quoted = _ESCAPED.sub(_escape, text).replace("---", "--\\x2d")
    return f'"{quoted}"'


def _is_plain(text: str) -> bool:
    return (
        _PLAIN.fullmatch(text) is not None
        and text.lower() not in _TYPED
        and not text.endswith(" ")
        and "  " not in text
        and "---" not in text
    )


def _escape(match: re.Match[str]) -> str:
    c = match.group()
    if c in _SHORT:
        return _SHORT[c]
    code = ord(c)
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return f"\\u{code:04x}" if code > 0xFF else f"\\x{code:02x}"
