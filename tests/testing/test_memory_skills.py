"""The double keeps the contract of the real store."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

import pytest

from hermes.errors import WrongCall
from hermes.testing import samples
from hermes.testing.contracts import skills as contract
from hermes.testing.memory_skills import MemorySkills
from hermes.testing.store import StorePorts


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_the_contract(check: Callable[[StorePorts], None]) -> None:
    skills = MemorySkills()
    check(cast(StorePorts, SimpleNamespace(skills=skills, transactions=skills)))


def undo(skills: MemorySkills) -> None:
    with skills.transaction():
        skills.add(samples.skill())
        skills.set_embedding(skills.all()[0].id, "a" * 64, b"\0\0\0\0")
        raise KeyError("changed my mind")


def test_a_failed_transaction_leaves_no_trace() -> None:
    skills = MemorySkills()
    kept = samples.skill()
    skills.add(kept)
    before = skills.generation()
    with pytest.raises(KeyError):
        undo(skills)
    assert skills.all() == [kept]
    assert skills.generation() == before
    assert list(skills.embeddings()) == []


def test_what_no_database_holds_is_refused() -> None:
    with pytest.raises(WrongCall):
        MemorySkills().add(samples.skill(description="a\0b"))
