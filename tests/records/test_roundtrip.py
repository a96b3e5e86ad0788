"""Every record goes through JSON and back exactly, and nothing else is taken for one."""

from __future__ import annotations

import dataclasses
import importlib
import json
import pkgutil
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hermes.records
from hermes.ids import canonical_json
from hermes.records.codec import CodecError, dump, load, parse_time, time_text
from hermes.records.event import Event
from hermes.records.skill import Skill
from hermes.records.version import Version
from hermes.testing.strategies import TIMES, records

IN_MEMORY = {"folder", "past", "proposal", "reading", "replay", "sandbox", "turn"}
"""Words that are never written down: they hold bytes, paths or places, and need no JSON."""


def _stored_records() -> list[type]:
    found = set()
    for module in pkgutil.iter_modules(hermes.records.__path__):
        if module.name not in IN_MEMORY:
            values = vars(importlib.import_module(f"hermes.records.{module.name}")).values()
            found |= {one for one in values if isinstance(one, type)}
    records_only = [one for one in found if dataclasses.is_dataclass(one)]
    return sorted(records_only, key=lambda cls: f"{cls.__module__}.{cls.__name__}")


@pytest.mark.parametrize("cls", _stored_records(), ids=lambda cls: cls.__name__)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_a_record_comes_back_from_json(cls: type, data: st.DataObject) -> None:
    record = data.draw(records(cls))
    text = canonical_json(dump(record))
    again = load(cls, json.loads(text))
    assert again == record
    assert canonical_json(dump(again)) == text


@given(records(Skill), st.sampled_from([field.name for field in dataclasses.fields(Skill)]))
@settings(max_examples=15, deadline=None)
def test_a_missing_or_unknown_field_is_an_error(skill: Skill, name: str) -> None:
    plain = dump(skill)
    with pytest.raises(CodecError, match="unknown"):
        load(Skill, plain | {"surprise": 1})
    del plain[name]
    with pytest.raises(CodecError, match=name):
        load(Skill, plain)


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("name", 7),
        ("pinned", 1),
        ("usage_count", True),
        ("usage_count", 1.0),
        ("success_rate", "1"),
        ("success_rate", float("nan")),
        ("state", "asleep"),
        ("created_at", "2026-11-15T20:38:00"),
        ("created_at", "yesterday"),
        ("tags", "csv"),
        ("tags", [1]),
        ("parameters", [{"name": "x"}]),
        ("test_parameters", []),
    ],
)
@given(skill=records(Skill))
@settings(max_examples=3, deadline=None)
def test_a_wrong_value_is_an_error_that_names_its_field(
    skill: Skill, field: str, wrong: Any
) -> None:
    with pytest.raises(CodecError, match=field):
        load(Skill, dump(skill) | {field: wrong})


@given(TIMES, TIMES)
def test_the_text_of_times_sorts_as_they_do(one: Any, two: Any) -> None:
    assert (time_text(one) < time_text(two)) == (one < two)
    assert parse_time(time_text(one)) == one


@given(records(Version))
@settings(max_examples=10, deadline=None)
def test_a_version_whose_files_were_altered_does_not_load(version: Version) -> None:
    plain = dump(version)
    plain["files"] = [*plain["files"], {"path": "x", "content": "", "size": 0, "executable": True}]
    with pytest.raises(ValueError, match="tree"):
        load(Version, plain)


@given(records(Event))
@settings(max_examples=10, deadline=None)
def test_an_events_hash_covers_every_field(event: Event) -> None:
    for name in ("seq", "at", "kind", "actor", "skill_id", "subject_id", "data", "previous"):
        other = {"seq": event.seq + 1, "at": event.at.replace(microsecond=1), "data": {"z": "z"}}
        if name == "at" and event.at.microsecond == 1:
            continue
        changed = other.get(name, f"{getattr(event, name)}!")
        altered = dataclasses.replace(event, **{name: changed})
        assert altered.expected_hash() != event.expected_hash(), name
