"""One file per pattern that no session has touched, and the right answer for it.

The answers are worked out here in another way than any session does it: amounts as whole cents and
lines split by hand, log lines taken apart by an expression. Agreement is therefore worth something.
"""

from __future__ import annotations

import json
import re
from collections import Counter

from demo_logs.scenario import HERE

_LOG_LINE = re.compile(r'"\w+ (?P<path>[^ ?]+)\S* HTTP/[\d.]+" (?P<status>\d{3}) ')


def unseen_files() -> dict[str, str]:
    """What goes into the folder `unseen`: the inputs, the answers, and how to ask for them."""
    rentals = (HERE / "inputs" / "bike_rentals.csv").read_bytes().decode("utf-8")
    booking = (HERE / "inputs" / "booking.log").read_bytes().decode("utf-8")
    cases = [
        {
            "pattern": "monthly totals",
            "request": "Clean the sales in bike_rentals.csv and write monthly totals to "
            "rentals_monthly.csv, without the cancelled ones.",
            "input": "bike_rentals.csv",
            "output": "rentals_monthly.csv",
            "expected": "rentals_monthly.expected.csv",
            "values": {
                "date_column": "picked_up",
                "amount_column": "fee",
                "status_column": "booking_state",
            },
        },
        {
            "pattern": "errors per endpoint",
            "request": "Summarise booking.log: errors from 400 up counted per endpoint, top 4, as "
            "a markdown table in reports/booking-errors.md, no health checks.",
            "input": "booking.log",
            "output": "reports/booking-errors.md",
            "expected": "booking-errors.expected.md",
            "values": {"min": 400, "top": 4},
        },
    ]
    return {
        "bike_rentals.csv": rentals,
        "rentals_monthly.expected.csv": _monthly(rentals),
        "booking.log": booking,
        "booking-errors.expected.md": _errors(booking, least=400, top=4),
        "cases.json": json.dumps(cases, indent=2) + "\n",
    }


def _monthly(text: str) -> str:
    """This file has no quoted fields, so a line is its fields joined by semicolons."""
    cents: Counter[str] = Counter()
    orders: Counter[str] = Counter()
    for line in text.splitlines()[1:]:
        if not line:
            continue
        _, picked_up, _, fee, state = (field.strip() for field in line.split(";"))
        if not fee or state.casefold() == "cancelled":
            continue
        whole, _, part = fee.removesuffix("€").strip().partition(".")
        year, month, _ = picked_up.split("-")
        cents[f"{year}-{month}"] += int(whole) * 100 + int(part)
        orders[f"{year}-{month}"] += 1
    lines = [
        f"{month},{orders[month]},{total // 100}.{total % 100:02d}"
        for month, total in sorted(cents.items())
    ]
    return "\n".join(["month,orders,total", *lines]) + "\n"


def _errors(text: str, *, least: int, top: int) -> str:
    """Most frequent first; among equals, by name."""
    failed = [
        found["path"]
        for found in _LOG_LINE.finditer(text)
        if int(found["status"]) >= least and not found["path"].startswith("/health")
    ]
    ranked = sorted(Counter(failed).items(), key=lambda item: (-item[1], item[0]))
    rows = [f"| {path} | {count} |" for path, count in ranked[:top]]
    return "\n".join(["| endpoint | errors |", "| --- | ---: |", *rows]) + "\n"
