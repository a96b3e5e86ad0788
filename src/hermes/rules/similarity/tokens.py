"""Text → search terms: the one tokeniser that queries and indexed texts share.

The name of a thing decides most searches an engineer makes, so an identifier yields itself, its
separators taken out, and its parts: `parseCsvFile`, `parse_csv_file` and `parse-csv-file` all give
the same four terms. Error codes (E1234, ECONNREFUSED, 0x80070005) stay whole. Scripts that put no
spaces between words give pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from hermes.rules.similarity.stemming import stem

LONGEST_TERM = 64
"""A longer run is data (base64, a chain of hashes) that nobody types twice: its start will do."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_ASCII_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+#-]*")
_ANY_WORD = re.compile(rf"[{_CJK}]{{1,64}}|[^\W_{_CJK}](?:[^\W{_CJK}]|[.+#-])*")
_IS_CJK = re.compile(rf"[{_CJK}]")
_SEPARATORS = re.compile(r"[-_.+#]+")
_NOT_DOT = re.compile(r"[-_+#]+")
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_HEXADECIMAL = re.compile(r"0x[0-9a-f]+|(?=[a-f]*\d)[0-9a-f]{7,}")
_ACRONYMS = re.compile(r"[A-Z]{2,}s")

_STOP_TEXT = (
    "a an and any are as at be been but by can could d did do does don for from had has have how "
    "i if in into is it its just let ll m me my need of on or our please re s should so some t "
    "than that the their them then there these they this those to up us use used using ve want "
    "was we were what when where which while will with would you your"
)
_STOP = frozenset(_STOP_TEXT.split())
_SIGNED = frozenset({"c++", "c#", "f#"})
"""Names in which the sign is what tells them apart."""
_ONE_WORD_TEXT = (
    "bitbucket clickhouse cloudflare devops dynamodb fastapi github gitlab graphql ios javascript "
    "jupyterlab latex macos mariadb mongodb mysql numpy oauth openai opensearch openssl paypal "
    "postgresql powerpoint powershell pytorch rabbitmq sqlite tensorflow typescript wordpress "
    "youtube"
)
_ONE_WORD = frozenset(_ONE_WORD_TEXT.split())
"""Written with a capital inside, yet one word: `java` must not find JavaScript."""


def tokens(text: str) -> list[str]:
    """The terms of a text in reading order, each as often as it occurs."""
    return [term for word in _words(text) for term in _terms(word)]


def words_by_token(text: str) -> dict[str, str]:
    """Each term with the first word it came from, to show a person why something was found."""
    first: dict[str, str] = {}
    for word in _words(text):
        for term in _terms(word):
            first.setdefault(term, word.rstrip("-_."))
    return first


def _words(text: str) -> list[str]:
    if text.isascii():
        words = _ASCII_WORD.findall(text)
    else:
        words = _ANY_WORD.findall(unicodedata.normalize("NFKC", text))
    return [word[:LONGEST_TERM] for word in words]


@lru_cache(maxsize=1 << 16)
def _terms(word: str) -> tuple[str, ...]:
    """The terms of one word. Cached: a library's vocabulary is far smaller than its text."""
    if _IS_CJK.match(word):
        return tuple(word[at : at + 2] for at in range(max(len(word) - 1, 1)))
    word = _without_accents(word).rstrip("-_.")
    lowered = word.lower()
    if lowered in _STOP:
        return ()
    if lowered in _SIGNED:
        return (lowered,)
    parts = [part for part in _SEPARATORS.split(word) if part]
    if len(parts) == 1:
        return _identifier_terms(parts[0])
    # A dotted name keeps its dots (3.11 is not 311); the other separators are interchangeable.
    whole = ".".join(filter(None, _NOT_DOT.sub("", lowered).split(".")))
    inner = (term for part in parts for term in _identifier_terms(part) if _tells(term))
    return tuple(dict.fromkeys((stem(whole), *inner)))


def _identifier_terms(run: str) -> tuple[str, ...]:
    """Letters and digits without a separator: the whole, then what its humps set apart."""
    lowered = run.lower()
    if _HEXADECIMAL.fullmatch(lowered):
        return (lowered,)
    if _ACRONYMS.fullmatch(run):
        return (lowered[:-1],)
    whole = () if lowered in _STOP else (stem(lowered),)
    if not run.isascii() or lowered in _ONE_WORD:
        return whole
    humps = [hump.lower() for hump in _HUMP.findall(run)]
    if len(humps) == 1:
        return whole
    inner = (stem(hump) for hump in humps if hump not in _STOP and _tells(hump))
    return tuple(dict.fromkeys((*whole, *inner)))


def _tells(part: str) -> bool:
    """One letter or two digits say nothing without the rest of their identifier."""
    return len(part) > (2 if part.isdigit() else 1)


def _without_accents(word: str) -> str:
    """`résumé` is typed as `resume` too; a letter that carries no accent stays what it is."""
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    plain = "".join(char for char in decomposed if unicodedata.category(char) != "Mn")
    return unicodedata.normalize("NFC", plain)
