"""The names we give to skills and categories, and which names a reader would take for another.

What we write is held to the narrowest rule of every client that may read it: the Agent Skills
format, plus what every file system can hold. What others wrote is only ever compared, so the
look-alike rule has to work on any text.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

MAX_NAME = 64

DEVICE_NAMES = frozenset(
    ["con", "prn", "aux", "nul"] + [f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)]
)
"""Windows opens a device instead of a file of this name, whatever its extension."""

_ALLOWED = re.compile(r"[a-z0-9-]+")
_GAPS = re.compile(r"[^a-z0-9]+")

# Letters of Cyrillic, Greek, Armenian and rarer Latin, and two digits, by the letter they are drawn
# like in lower or in upper case: `skeleton` folds case first, so the small letter stands for both.
# Letters that only resemble one (the Cyrillic signs, for one) are left out: two honest words of
# one script must not become each other.
_DRAWN_LIKE = {
    "a": "\u0430\u03b1\u0251",
    "b": "\u0432\u03b2\ua7b5",
    "c": "\u0441\u1d04",
    "d": "\u0501",
    "e": "\u0435\u03b5",
    "g": "\u050d\u0261\u0581",
    "h": "\u043d\u04bb\u0570",
    "i": "\u0456\u03b9\u0131\u0269",
    "j": "\u0458\u03f3\u0575\u0237",
    "k": "\u043a\u03ba",
    "l": "\u04cf1",
    "m": "\u043c\u03bc",
    "n": "\u03b7\u0578",
    "o": "\u043e\u03bf\u03c3\u0585\u1d0f0",
    "p": "\u0440\u03c1",
    "q": "\u051b\u0566",
    "r": "\u0433",
    "s": "\u0455",
    "t": "\u0442\u03c4",
    "u": "\u03c5\u057d\u1d1c",
    "v": "\u0475\u03bd\u028b\u1d20",
    "w": "\u051d\u03c9\u1d21",
    "x": "\u0445\u03c7",
    "y": "\u0443\u04af\u03b3",
    "z": "\u03b6\u1d22",
}
_LATIN = {ord(other): latin for latin, others in _DRAWN_LIKE.items() for other in others}

# Marks that are drawn as nothing: a name with one of them is another name that looks the same.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def check_skill_name(name: str) -> list[str]:
    """What is wrong with a name we are about to write; empty when nothing is."""
    return _check(name, "skill name")


def check_category(name: str) -> list[str]:
    """The same rule for the folder above a skill; no category at all is fine."""
    return _check(name, "category") if name else []


def _check(name: str, what: str) -> list[str]:
    problems = []
    if not 1 <= len(name) <= MAX_NAME:
        problems.append(f"a {what} has 1 to {MAX_NAME} characters, this one has {len(name)}")
    if name and not _ALLOWED.fullmatch(name):
        problems.append(f"a {what} has lower-case letters a-z, digits and hyphens only")
    if name.startswith("-") or name.endswith("-"):
        problems.append(f"a {what} neither starts nor ends with a hyphen")
    if "--" in name:
        problems.append(f"a {what} has no two hyphens in a row")
    if name in DEVICE_NAMES:
        problems.append(f"'{name}' is the name of a device on Windows")
    if problems:
        problems[-1] += f"; send '{suggest_name(name)}' instead"
    return problems


def suggest_name(text: str) -> str:
    """A name that `check_skill_name` accepts, as close to the text as it can be.

    Text without one usable letter gets a name from its hash: the same text, the same name.
    """
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    name = _GAPS.sub("-", "".join(c for c in decomposed if not unicodedata.combining(c))).strip("-")
    if len(name) > MAX_NAME:
        cut = name[: MAX_NAME + 1].rpartition("-")[0]
        # One endless word has no place to be cut at, so it is cut anywhere.
        name = cut if len(cut) > MAX_NAME // 2 else name[:MAX_NAME].strip("-")
    if not name:
        return f"skill-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    return f"{name}-skill" if name in DEVICE_NAMES else name


def skeleton(text: str) -> str:
    """What a reader sees: two texts with one skeleton look the same on a screen.

    Compatibility forms (full width, mathematical, ligatures) and case are folded by Unicode's own
    tables, invisible characters are dropped, and letters of other scripts become the Latin letter
    they are drawn like. Accents stay, because they are seen.
    """
    seen = _visible(unicodedata.normalize("NFKC", _visible(text)))
    folded = unicodedata.normalize("NFKC", seen.casefold())
    return unicodedata.normalize("NFC", _visible(folded).translate(_LATIN))


def looks_like(a: str, b: str) -> bool:
    """Whether a reader would take one for the other; a text looks like itself."""
    return a == b or skeleton(a) == skeleton(b)


def _visible(text: str) -> str:
    if text.isascii():
        return text
    return "".join(
        "-" if unicodedata.category(c) == "Pd" or c == "\u2212" else c
        for c in text
        if not _is_invisible(c)
    )


def _is_invisible(c: str) -> bool:
    return (
        unicodedata.category(c) == "Cf"
        or c in _INVISIBLE
        or "\ufe00" <= c <= "\ufe0f"
        or "\U000e0000" <= c <= "\U000e0fff"
        or "\u180b" <= c <= "\u180f"
    )
