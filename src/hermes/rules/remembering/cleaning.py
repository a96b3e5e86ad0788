"""A text as it can be kept: without credentials and without what no database holds."""

from __future__ import annotations

import re
import unicodedata

from hermes.ids import content_hash
from hermes.rules.redact.credentials import without_credentials

LONGEST = 50_000
"""Characters. What is longer is a document: it belongs in a file, and a memory says where."""

_UNKEPT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_SPACES = re.compile(r"[ \t]+(?=\n)|\A\s+|\s+\Z")
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def cleaned(text: str) -> str:
    """Control characters and halves of characters go, right-to-left text and emoji stay."""
    return _SPACES.sub("", without_credentials(_UNKEPT.sub("", text)))


def fingerprint(text: str) -> str:
    """The same for texts that differ in case, spacing and punctuation alone."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    plain = _BETWEEN_WORDS.sub(" ", folded).strip()
    return content_hash((plain or folded).encode("utf-8", "surrogatepass"))
