"""What is not worth remembering, and what is."""

from __future__ import annotations

import pytest

from hermes.records.memory import MemoryKind, Trust
from hermes.rules.remembering.junk import junk_in
from hermes.rules.remembering.kinds import kind_of

SEMANTIC, EPISODIC = MemoryKind.SEMANTIC, MemoryKind.EPISODIC


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \n\t ", "empty"),
        ("Hello there!", "greeting"),
        ("Hi, how are you doing today?", "greeting"),
        ("thanks a lot :)", "greeting"),
        ("ok, sounds good", "greeting"),
        ("LGTM", "greeting"),
        ("?!", "nothing"),
        ("🎉", "nothing"),
        ("Let me check the logs.", "next step"),
        ("I'm going to run the tests now", "next step"),
        ("connection reset by peer", "passes"),
        ("HTTP 503 Service Unavailable", "passes"),
        ("requests.exceptions.ReadTimeout: timed out", "passes"),
        ("rate limited, retrying in 20 seconds", "passes"),
        ("x" * 60_000, "characters"),
    ],
)
def test_junk_is_refused_with_a_reason(text: str, reason: str) -> None:
    assert reason in (junk_in(text, SEMANTIC, Trust.DERIVED) or "")


@pytest.mark.parametrize(
    "text",
    [
        "The staging database listens on port 5433",
        "Ana likes tea",
        "Bob's birthday is 3 May",
        "The API is limited to 60 requests per minute, otherwise 429 Too Many Requests",
        "A timeout in the importer is caused by a missing index on orders.created_at",
        "ERR_CONN_42",
        "שלום עולם זה מבחן",
        "会议在周五下午三点",
        "✅ means that the release was signed",
        "Good morning reports go to the ops channel",
    ],
)
def test_what_can_be_looked_for_is_kept(text: str) -> None:
    assert junk_in(text, SEMANTIC, Trust.USER) is None


def test_a_turn_of_a_conversation_is_kept() -> None:
    turn = "Ana: I'm going to check the lake house"
    assert junk_in(turn, EPISODIC, Trust.USER) is None
    assert junk_in("Hey!", EPISODIC, Trust.USER) is not None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Yesterday the deploy failed twice", EPISODIC),
        ("Traceback (most recent call last):\n  File", EPISODIC),
        ("We fixed the importer by adding an index", EPISODIC),
        ("This tool renames columns", MemoryKind.DECLARATIVE),
        ("def f(x): adds one", MemoryKind.DECLARATIVE),
        ("Ana prefers tabs", SEMANTIC),
        ("The port is 80", SEMANTIC),
    ],
)
def test_the_kind_is_read_off_the_text(text: str, kind: MemoryKind) -> None:
    assert kind_of(text) is kind
