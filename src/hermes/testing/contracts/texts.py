"""Odd values: what every database keeps exactly, and what every store refuses alike."""

from __future__ import annotations

import pytest

from hermes.errors import WrongCall
from hermes.testing import samples
from hermes.testing.contracts.trajectories import begin
from hermes.testing.store import StorePorts

ODD = (
    "",
    " ",
    "'; DROP TABLE skills; --",
    "100 % of %s, %(name)s, :name, {skill_columns} and ?",
    "line\r\nline\ttab \x01\x1b[0m\x7f",
    "ﬀ ß İ e\u0301 \u202e\ufeff\ufffe",
    "🧪" * 1000,
    "\\u0000 \\x00 \\",
)


def odd_texts_come_back_exactly(ports: StorePorts) -> None:
    opened = begin(ports)
    for number, text in enumerate(ODD, 1):
        ports.trajectories.append(
            opened.id, samples.step(number, content=text, metadata={"nested": [text]})
        )
    steps = ports.trajectories.steps(opened.id)
    assert [step.content for step in steps] == list(ODD)
    assert [step.metadata for step in steps] == [{"nested": [text]} for text in ODD]


def a_nul_character_is_refused(ports: StorePorts) -> None:
    with pytest.raises(WrongCall, match=r"text .*NUL character at position 1"):
        ports.memories.add(samples.memory(text="a\0b"))


def a_nul_character_inside_a_nested_value_stays(ports: StorePorts) -> None:
    opened = begin(ports)
    odd = samples.step(1, metadata={"output": "a\0b"})
    ports.trajectories.append(opened.id, odd)
    assert ports.trajectories.steps(opened.id) == [odd]


def half_of_a_surrogate_pair_is_refused(ports: StorePorts) -> None:
    with pytest.raises(WrongCall, match=r"text .*surrogate pair at position 1"):
        ports.memories.add(samples.memory(text="a\ud83eb"))
    opened = begin(ports)
    with pytest.raises(WrongCall, match=r"metadata .*surrogate"):
        ports.trajectories.append(opened.id, samples.step(1, metadata={"a": "\udc00"}))


def a_number_too_large_is_refused(ports: StorePorts) -> None:
    ports.skills.add(samples.skill(usage_count=2**63 - 1))
    with pytest.raises(WrongCall, match="usage_count"):
        ports.skills.add(samples.skill(usage_count=2**63))
    with pytest.raises(WrongCall, match="success_rate"):
        ports.skills.add(samples.skill(success_rate=float("inf")))


CHECKS = (
    odd_texts_come_back_exactly,
    a_nul_character_is_refused,
    a_nul_character_inside_a_nested_value_stays,
    half_of_a_surrogate_pair_is_refused,
    a_number_too_large_is_refused,
)
