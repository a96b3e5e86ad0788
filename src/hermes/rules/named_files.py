"""The files that a person's words name: `out.txt`, `reports/may.md`; no address, no version."""

from __future__ import annotations

import re

_NAMED = re.compile(r"(?<![\w@:/.~-])[\w-][\w./-]{0,200}\.[A-Za-z][A-Za-z0-9]{0,5}(?![\w/@.-]*\w)")


def named_files(text: str) -> tuple[str, ...]:
    """Each once, in their order. A name is one by its form: a short ending after a dot."""
    return tuple(dict.fromkeys(one.group() for one in _NAMED.finditer(text)))
