"""Memories and users."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.errors import Conflict, NotFound
from hermes.records.memory import MemoryKind
from hermes.records.scope import Role
from hermes.testing import samples
from hermes.testing.store import StorePorts


def a_memory_is_kept_and_forgotten(ports: StorePorts) -> None:
    one = samples.memory(strength=0.3, expires_at=samples.LATER)
    ports.memories.add(one)
    assert ports.memories.get(one.id) == one
    recalled = replace(one, last_recalled_at=samples.LATER, superseded_by="mem_x")
    ports.memories.replace(recalled)
    assert ports.memories.get(one.id) == recalled
    assert ports.memories.delete(one.id)
    assert not ports.memories.delete(one.id)
    assert ports.memories.get(one.id) is None


def a_memory_is_added_once(ports: StorePorts) -> None:
    one = samples.memory()
    ports.memories.add(one)
    with pytest.raises(Conflict):
        ports.memories.add(one)
    with pytest.raises(NotFound):
        ports.memories.replace(samples.memory())


def memories_come_by_scope_kind_and_pages(ports: StorePorts) -> None:
    mine = [samples.memory() for _ in range(3)]
    episode = samples.memory(kind=MemoryKind.EPISODIC)
    for one in (*mine, episode, samples.memory(scope="team:ops")):
        ports.memories.add(one)
    assert ports.memories.page("personal") == [*mine, episode]
    assert ports.memories.page("personal", after=mine[0].id, limit=1) == [mine[1]]
    assert ports.memories.page("personal", MemoryKind.EPISODIC) == [episode]
    assert ports.memories.page("personal", MemoryKind.SEMANTIC, after=mine[1].id) == [mine[2]]
    assert ports.memories.page("nobody") == []


def a_user_is_known_by_name(ports: StorePorts) -> None:
    ana, bob = samples.user("ana", token_hash="0" * 64), samples.user("bob")
    ports.users.add(bob)
    ports.users.add(ana)
    assert ports.users.named("ana") == ana
    assert ports.users.named("Ana") is None
    assert ports.users.all() == [ana, bob]
    with pytest.raises(Conflict):
        ports.users.add(samples.user("ana"))


def a_user_is_revoked(ports: StorePorts) -> None:
    ana = samples.user("ana")
    ports.users.add(ana)
    revoked = replace(ana, role=Role.VIEWER, revoked_at=samples.LATER)
    ports.users.replace(revoked)
    assert ports.users.named("ana") == revoked
    with pytest.raises(NotFound):
        ports.users.replace(samples.user("ana"))


CHECKS = (
    a_memory_is_kept_and_forgotten,
    a_memory_is_added_once,
    memories_come_by_scope_kind_and_pages,
    a_user_is_known_by_name,
    a_user_is_revoked,
)
