"""Text → search terms: the one tokeniser that queries and indexed texts share.

Names of things decide most searches an engineer makes, so an identifier yields itself, with its
separators taken out, and its parts: `parseCsvFile`, `parse_csv_file` and `parse-csv-file` all
give `parsecsvfile`, `parse`, `csv` and `file`. Error codes (E1234, ECONNREFUSED, 0x80070005) stay
whole. Scripts without spaces between words give pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

LONGEST_TERM = 64
"""A longer run is data (base64, a hash chain), which nobody types twice; its start is enough."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(
    rf"[{_CJK}]+"
    r"|\b[cf](?:\+\+|\#)"  # C++, C#, F#: the sign is the name
    rf"|(?:(?![{_CJK}])[^\W_])+(?:[-_.]+(?:(?![{_CJK}])[^\W_])+)*",
    re.IGNORECASE,
)
_FIRST_CJK = re.compile(rf"[{_CJK}]")
_SEPARATOR = re.compile(r"[-_.]+")
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_LETTERS_OR_DIGITS = re.compile(r"[a-z]{2,}|\d{3,}")
_CODE = re.compile(r"0x[0-9a-f]+|[0-9a-f]{7,}", re.IGNORECASE)

_STOP = frozenset(
    "a an and any are as at be been but by can could did do does for from had has have how i if in "
    "into is it its just let me my need of on or our please should so some than that the their "
    "them then there these they this those to up us use used user using want was we were what "
    "when where which while will with would you your".split()
)
_ONE_WORD = frozenset(
    "bitbucket cloudflare clickhouse devops dynamodb fastapi github gitlab graphql javascript "
    "jetbrains jupyterlab latex linkedin macos mariadb mongodb mysql nextcloud numpy oauth openai "
    "opensearch openssl paypal postgresql powerpoint powershell pytorch rabbitmq sqlite stackoverflow "
    "tensorflow typescript whatsapp wordpress youtube".split()
)
"""Written with a capital inside, yet one word: `java` must not find JavaScript."""


def tokens(text: str) -> list[str]:
    """The terms of a text in reading order, repeated as often as they occur."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    found: list[str] = []
    for word in _WORD.findall(text):
        found += _terms(word)
    return found


def words_by_token(text: str) -> dict[str, str]:
    """Each term with the word it came from first, to show a person why something was found."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    first: dict[str, str] = {}
    for word in _WORD.findall(text):
        for term in _terms(word):
            first.setdefault(term, word)
    return first


@lru_cache(maxsize=1 << 16)
def _terms(word: str) -> tuple[str, ...]:
    """The terms of one word. Cached: a library's vocabulary is far smaller than its text."""
    if _FIRST_CJK.match(word):
        pairs = [word[at : at + 2] for at in range(len(word) - 1)]
        return tuple(pairs) or (word,)
    word = word[:LONGEST_TERM]
    if not word.isascii():
        word = _without_accents(word)
    lowered = word.lower()
    if lowered in _STOP:
        return ()
    parts = [part for part in _SEPARATOR.split(word) if part]
    if len(parts) == 1:
        return tuple(dict.fromkeys(_part_terms(word)))
    # A dotted name keeps its dots (3.11 is not 311); hyphen and underscore are interchangeable.
    whole = lowered.replace("-", "").replace("_", "")
    inner = [term for part in parts for term in _part_terms(part)]
    return tuple(dict.fromkeys([whole, *inner]))


def _part_terms(part: str) -> list[str]:
    """A run of letters and digits: itself, and what its humps and digits separate."""
    lowered = part.lower()
    if lowered.isalpha() and (part[1:] == lowered[1:] or part.isupper() or lowered in _ONE_WORD):
        return [] if lowered in _STOP else [stem(lowered)]
    if not lowered.isascii() or _CODE.fullmatch(lowered):
        return [lowered]
    terms = [stem(lowered)]
    if lowered in _ONE_WORD:
        return terms
    for hump in _HUMP.findall(part) if not lowered.isalnum() or _has_humps(part) else [lowered]:
        low = hump.lower()
        if low.isalpha():
            if len(low) > 1 and low not in _STOP:
                terms.append(stem(low))
        else:
            terms += [stem(run) for run in _LETTERS_OR_DIGITS.findall(low)]
    return terms


def _has_humps(part: str) -> bool:
    return any(a.islower() and b.isupper() for a, b in zip(part, part[1:], strict=False)) or (
        re.search(r"[A-Z]{2,}[a-z]", part) is not None
    )


def _without_accents(word: str) -> str:
    """`résumé` is typed as `resume` too; letters that are no accent stay as they are."""
    decomposed = unicodedata.normalize("NFD", word)
    plain = "".join(char for char in decomposed if unicodedata.category(char) != "Mn")
    return unicodedata.normalize("NFC", plain)


def stem(word: str) -> str:
    """The word without its ending of number or tense: migrate, migrates, migrating, migration.

    Light on purpose. It only has to give the same stem to forms of one word; the stem itself
    need not be a word, and what it misses the vectors find.
    """
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    word = _singular(word)
    for ending in ("ation", "ator", "ing", "ion", "ed"):
        if word.endswith(ending) and _has_vowel(word[: -len(ending)]):
            word = _without_ending(word, ending)
            break
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 3 and word.endswith("y") and word[-2] not in "aeiou":
        word = word[:-1] + "i"
    if len(word) > 4 and word.endswith("is"):
        word = word[:-1] + "z"  # summarise, summarize
    return word
