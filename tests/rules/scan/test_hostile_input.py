"""No text makes the scanner slow or fall over: it is read by whoever sends it."""

from __future__ import annotations

import time

import pytest

from hermes.rules.scan.finding import ScanVerdict
from hermes.rules.scan.package import scan_package

SECONDS = 15.0
"""Generous for a busy machine; what is guarded against takes minutes."""

REPEATED = (
    "<a ", "](", "` ", "#", "a", "\"'", "$(", "a|", "curl;", "QUJD", "a.", "a@", "<!--", "12, ",
    "\\x41", "a=$a$a\n", "do not do not tell ", "```\n", "\u200b\u200c", "41",
    'echo "$(cat ~/.ssh/id_rsa)" | ',
)  # fmt: skip


@pytest.mark.parametrize("part", REPEATED)
@pytest.mark.parametrize("name", ["SKILL.md", "x.sh", "x.py", "x.js"])
def test_repetition(part: str, name: str) -> None:
    start = time.process_time()
    scan_package({name: (part * 50_000)[:100_000].encode()})
    assert time.process_time() - start < SECONDS


def test_bytes_of_every_kind() -> None:
    report = scan_package(
        {"SKILL.md": bytes(range(1, 256)) * 20, "a.py": b"\xff\xfe\x00", "b.json": b"[" * 9_000}
    )
    assert report.verdict is ScanVerdict.CLEAN, report
