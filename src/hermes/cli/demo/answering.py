"""Who did what, and why a skill exists: from the records, for anybody."""

from __future__ import annotations

from itertools import pairwise

from hermes.cli.demo.narrator import Narrator


def chapter(narrator: Narrator, number: int) -> None:
    narrator.chapter(
        number,
        "It can be answered for",
        "Why does this skill exist, who let it live, and what happened to it?",
    )
    told = narrator.hermes("skills", "why", "release-notes")
    narrator.claim(
        "the answer names author, checks, evidence and approver",
        all(word in told for word in ("agent", "format", "evidence", "ana")),
    )
    narrator.hermes("events", "--skill", "tidy-csv")
    with narrator.open() as home:
        events = home.ledger.events.page(limit=100_000)
    narrator.claim(
        "each line of the audit trail carries the hash of the one before it",
        all(event.hash == event.expected_hash() for event in events)
        and all(a.hash == b.previous for a, b in pairwise(events)),
    )
    narrator.hermes("db", "verify")
