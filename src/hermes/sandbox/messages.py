"""Violations as the program itself tells of them, where nobody else was there to see.

Docker gives us no watcher. A message proves little (a program may print anything, or nothing),
which is why such a violation carries Witness.MESSAGE. It is still what a person would look for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hermes.records.sandbox import Violation, ViolationKind, Witness

_QUOTED = "['\"\u2018]([^'\"\u2019]+)['\"\u2019]"  # straight, or as the GNU tools quote
_PATTERNS = (
    (ViolationKind.WRITE, re.compile(rf"Read-only file system: {_QUOTED}")),
    (ViolationKind.WRITE, re.compile(rf"{_QUOTED}: Read-only file system")),
    (ViolationKind.WRITE, re.compile(r"(/[^\s:]+): Read-only file system")),
    (ViolationKind.WRITE, re.compile(rf"Permission denied: {_QUOTED}")),
    (ViolationKind.WRITE, re.compile(r"cannot create (/[^\s:]+): Permission denied")),
    (ViolationKind.NETWORK, re.compile(r"[Cc]ould not resolve host:? (\S+)")),
    (ViolationKind.NETWORK, re.compile(r"(Network is unreachable)")),
    (ViolationKind.NETWORK, re.compile(r"(Temporary failure in name resolution)")),
    (ViolationKind.NETWORK, re.compile(r"(Address family not supported)")),
    (ViolationKind.CALL, re.compile(r"^(\w+): .*Operation not permitted", re.MULTILINE)),
    (ViolationKind.CALL, re.compile(r"(\[Errno 1\] Operation not permitted)")),
)
_MOST = 100


def violations_in(stderr: bytes) -> tuple[Violation, ...]:
    times: dict[tuple[ViolationKind, str], int] = {}
    for kind, subject in _mentions(stderr.decode("utf-8", errors="replace")):
        times[kind, subject] = times.get((kind, subject), 0) + 1
    return tuple(
        Violation(kind=kind, subject=subject, witness=Witness.MESSAGE, times=count)
        for (kind, subject), count in list(times.items())[:_MOST]
    )


def _mentions(text: str) -> Iterator[tuple[ViolationKind, str]]:
    for line in text.splitlines():
        for kind, pattern in _PATTERNS:
            if found := pattern.search(line):
                yield kind, found[1]
                break
