"""Violations as programs tell of them."""

from __future__ import annotations

import pytest

from hermes.records.sandbox import Violation, ViolationKind, Witness
from hermes.sandbox.messages import violations_in


@pytest.mark.parametrize(
    ("line", "kind", "subject"),
    [
        ("OSError: [Errno 30] Read-only file system: '/etc/x'", "write", "/etc/x"),
        ("touch: cannot touch '/usr/x': Read-only file system", "write", "/usr/x"),
        ("mkdir: cannot create directory \u2018/x\u2019: Read-only file system", "write", "/x"),
        ("sh: 1: cannot create /etc/x: Permission denied", "write", "/etc/x"),
        ("bash: line 1: /etc/x: Read-only file system", "write", "/etc/x"),
        ("PermissionError: [Errno 13] Permission denied: '/root'", "write", "/root"),
        ("curl: (6) Could not resolve host: example.com", "network", "example.com"),
        ("OSError: [Errno 101] Network is unreachable", "network", "Network is unreachable"),
        ("mount: /mnt: Operation not permitted", "call", "mount"),
    ],
)
def test_what_is_recognised(line: str, kind: str, subject: str) -> None:
    expected = Violation(
        kind=ViolationKind(kind), subject=subject, witness=Witness.MESSAGE, times=2
    )
    assert violations_in(f"{line}\nsomething else\n{line}\n".encode()) == (expected,)


def test_ordinary_output_is_no_violation() -> None:
    assert violations_in(b"Traceback (most recent call last):\nValueError: 3\n\xff\xfe") == ()
