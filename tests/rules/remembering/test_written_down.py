"""What an export writes an import reads back; what a file says of itself is not believed."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hermes.records.codec import CodecError
from hermes.records.memory import MemoryKind, Trust
from hermes.rules.remembering.written_down import Reading, Written, line_of, memory_of
from hermes.testing import samples

AT = datetime(2026, 6, 1, tzinfo=UTC)
FOREIGN = Reading(source="import:notes.jsonl", at=AT)
VOUCHED = Reading(source="import:notes.jsonl", at=AT, vouched=True)


def read(reading: Reading = FOREIGN, **fields: Any) -> Written:
    return memory_of(json.dumps({"text": "the till opens at nine", **fields}).encode(), reading)


FULL = samples.memory(
    text="the café is closed 🚀\non Sundays",
    scope="team:ops",
    trust=Trust.DERIVED,
    session_id="ses_1",
    strength=2.5,
    created_at=AT - timedelta(days=9),
    last_recalled_at=AT - timedelta(days=1),
    expires_at=AT + timedelta(days=9),
    superseded_by=samples.memory().id,
    waiting=True,
    approved_by="ana",
)


def test_every_field_survives_when_the_file_is_vouched_for() -> None:
    assert memory_of(line_of(FULL).encode(), VOUCHED) == Written(memory=FULL, named=True)


def test_a_foreign_file_is_believed_in_what_it_tells_only() -> None:
    taken = memory_of(line_of(FULL).encode(), FOREIGN).memory
    assert (taken.text, taken.scope, taken.waiting) == (FULL.text, "team:ops", True)
    assert (taken.trust, taken.source) == (Trust.IMPORTED, "import:notes.jsonl")
    assert (taken.approved_by, taken.strength, taken.last_recalled_at) == (None, 1.0, None)


def test_a_text_is_enough() -> None:
    taken = read()
    assert not taken.named
    assert taken.memory.kind is MemoryKind.SEMANTIC
    assert taken.memory.created_at == AT
    assert read() == taken, "the same line is the same memory"
    assert read(kind="episodic").memory.id != taken.memory.id


def test_nothing_happened_tomorrow_and_nothing_is_stronger_than_the_strongest() -> None:
    later = (AT + timedelta(days=999)).isoformat()
    taken = read(VOUCHED, created_at=later, last_recalled_at=later, strength=1e9).memory
    assert (taken.created_at, taken.last_recalled_at, taken.strength) == (AT, AT, 8.0)


def test_a_scope_that_was_asked_for_wins() -> None:
    asked = Reading(source="x", at=AT, scope="project:till")
    assert read(asked, scope="team:ops").memory.scope == "project:till"


def test_credentials_are_removed() -> None:
    key = "sk-" + "a1B2" * 12
    assert key not in read(text=f"the key is {key}").memory.text


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"text": 7}, 'object with a "text"'),
        ({"knd": "semantic"}, "no field 'knd'"),
        ({"kind": "wrong"}, "Memory.kind"),
        ({"created_at": "yesterday"}, "Memory.created_at"),
        ({"created_at": "2026-01-01T00:00:00"}, "without a zone"),
        ({"scope": "galaxy:1"}, "galaxy"),
        ({"id": "../../etc"}, "Memory.id"),
        ({"superseded_by": 5}, "Memory.superseded_by"),
        ({"session_id": "a\0b"}, "Memory.session_id"),
        ({"waiting": "yes"}, "Memory.waiting"),
    ],
)
def test_what_is_wrong_is_named(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(CodecError, match=says):
        read(**fields)
