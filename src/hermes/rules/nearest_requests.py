"""Which of the earlier requests are most like this one: told beside a skill's own tool."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"[^\W_]{3,}")


def nearest_requests(text: str, earlier: Sequence[str]) -> list[str]:
    """Those that share more of their words come first; among equals the order stays."""
    wanted = _words(text)
    return sorted(earlier, key=lambda request: -_likeness(wanted, _words(request)))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0
