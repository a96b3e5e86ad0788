"""Personal data: numbers count when their check digits hold."""

from __future__ import annotations

import pytest

from hermes.rules.scan.finding import Severity
from hermes.rules.scan.personal import personal_findings


def found(text: str) -> list[tuple[int, Severity]]:
    return [(f.line, f.severity) for f in personal_findings("SKILL.md", text)]


@pytest.mark.parametrize(
    "text", ["pay 4539 1488 0343 6467", "IBAN DE89 3704 0044 0532 0130 00", "SSN 219-09-9999"]
)
def test_numbers_that_belong_to_somebody(text: str) -> None:
    assert found(f"first line\n{text}\n") == [(2, Severity.MEDIUM)]


@pytest.mark.parametrize(
    "text",
    [
        "test card 4242 4242 4242 4242",
        "order 4539 1488 0343 6468",
        "IBAN DE89 3704 0044 0532 0130 01",
        "date 2026-01-31",
        "mail you@example.com or support@vendor.example",
    ],
)
def test_numbers_that_belong_to_nobody(text: str) -> None:
    assert found(text) == []


def test_an_address_is_a_note() -> None:
    assert found("ask jane.doe@vendor.example") == [(1, Severity.NOTE)]
