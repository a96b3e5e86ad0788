"""Text that is there and cannot be seen, or is not what it looks like.

Invisible letters have honest uses (joining emoji, Arabic and Indic writing), so only what no script
needs is told: the tag block, long runs, direction marks inside code, mixed alphabets in one word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from hermes.rules.scan.effects import Effect, Kind, Piece, Surface

_TAGS = re.compile("[\U000e0000-\U000e007f]{2,}")
_FLAG = re.compile("\U0001f3f4[\U000e0060-\U000e007f]{2,8}")  # flags of Scotland and the like
_ZERO = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff\u180e\u00ad]{6,}")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_LATIN_ALIKE = {
    "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "х": "x", "у": "y", "і": "i", "ѕ": "s", "ј": "j",
    "ԁ": "d", "һ": "h", "ԛ": "q", "ԝ": "w", "в": "b", "к": "k", "м": "m", "н": "h", "т": "t",
    "α": "a", "ο": "o", "ρ": "p", "ν": "v", "ι": "i", "κ": "k", "τ": "t", "υ": "u", "Ι": "I", "Α": "A",
    "Β": "B", "Ε": "E", "Ζ": "Z", "Η": "H", "Κ": "K", "Μ": "M", "Ν": "N", "Ο": "O", "Ρ": "P", "Τ": "T",
    "Χ": "X", "А": "A", "В": "B", "Е": "E", "К": "K", "М": "M", "Н": "H", "О": "O", "Р": "P", "С": "C",
    "Т": "T", "Х": "X", "ɡ": "g", "ⅼ": "l",
}  # fmt: skip
_ALIKE = str.maketrans(_LATIN_ALIKE)


def invisible_effects(file: str, text: str, *, code: bool) -> Iterator[tuple[Effect, Piece | None]]:
    """Each unseen stretch, with what it says where that can be read."""
    plain = _FLAG.sub("", text)
    for pattern, name in (
        (_TAGS, "tag characters"),
        (_ZERO, "zero-width characters"),
        (_SELECTORS, "variation selectors"),
    ):
        for match in list(pattern.finditer(plain))[:20]:
            line = 1 + plain.count("\n", 0, match.start())
            said = _revealed(match[0])
            hidden = Piece(file, line, said, Surface.HIDDEN, "", "invisible text") if said else None
            yield (
                Effect(
                    Kind.INVISIBLE,
                    file,
                    line,
                    f"{len(match[0])} {name}" + (f": {said[:60]}" if said else ""),
                    surface=Surface.HIDDEN,
                ),
                hidden,
            )
    bidi = _BIDI.search(text)
    if bidi and code:
        line = 1 + text.count("\n", 0, bidi.start())
        yield (
            Effect(
                Kind.INVISIBLE,
                file,
                line,
                "a mark that reverses the direction of code",
                surface=Surface.HIDDEN,
            ),
            None,
        )


def _revealed(run: str) -> str:
    """Tag letters shadow ASCII; two kinds of zero-width letters are usually bits; selectors bytes."""
    tags = "".join(chr(ord(c) - 0xE0000) for c in run if 0xE0020 <= ord(c) < 0xE007F)
    if tags:
        return tags
    if all(0xFE00 <= ord(c) <= 0xFE0F or 0xE0100 <= ord(c) <= 0xE01EF for c in run):
        data = bytes(
            ord(c) - 0xFE00 if ord(c) < 0xFE10 else (ord(c) - 0xE0100 + 16) % 256 for c in run
        )
        return data.decode("utf-8", "ignore") if len(data) > 3 else ""
    kinds = sorted(set(run))
    if len(kinds) == 2 and len(run) >= 16:
        for zero in kinds:
            bits = "".join("0" if c == zero else "1" for c in run)
            data = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8))
            said = data.decode("utf-8", "replace")
            if said.isprintable():
                return said
    return ""


def lookalike_effects(file: str, text: str) -> Iterator[Effect]:
    """Words with letters of two alphabets, of which one imitates the other."""
    if text.isascii():
        return
    found = 0
    for match in _WORD.finditer(text):
        word = match[0]
        if word.isascii() or not _mixed(word):
            continue
        found += 1
        if found <= 5:
            line = 1 + text.count("\n", 0, match.start())
            yield Effect(Kind.LOOKALIKE, file, line, f"{word!r} reads like {plain_letters(word)!r}")


def _mixed(word: str) -> bool:
    latin = sum(c.isascii() or "LATIN" in unicodedata.name(c, "") for c in word)
    alike = sum(c in _LATIN_ALIKE for c in word)
    return latin > 0 and alike > 0 and latin + alike == len(word)


def plain_letters(text: str) -> str:
    """The text as an eye would read it: look-alikes replaced, unseen letters dropped."""
    if text.isascii():
        return text
    shown = _ZERO.sub("", _TAGS.sub("", _BIDI.sub("", text)))
    return _WORD.sub(lambda m: m[0].translate(_ALIKE) if _mixed(m[0]) else m[0], shown)
