"""Skills, their generations and their embeddings."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest

from hermes.errors import Conflict, NotFound, WrongCall
from hermes.records.skill import HealthStatus, Parameter, SkillState
from hermes.testing import samples
from hermes.testing.store import StorePorts


def vector(*numbers: float) -> bytes:
    """These numbers as the embedder would give them."""
    return struct.pack(f"<{len(numbers)}f", *numbers)


def a_skill_comes_back_as_it_was(ports: StorePorts) -> None:
    parameter = Parameter(name="path", type="str", default={"a": [1, None]}, observed=("x", 2.5))
    full = samples.skill(
        scope="team:ops",
        category="data",
        state=SkillState.STALE,
        pinned=True,
        approver="ana",
        tags=("csv", "späte Zeilen"),
        parameters=(parameter,),
        test_parameters={"path": "a.csv"},
        success_rate=0.1 + 0.2,
        best_efficiency_score=1e-300,
        health_status=HealthStatus.FAILING,
        last_used_at=samples.LATER,
    )
    ports.skills.add(full)
    assert ports.skills.get(full.id) == full
    assert ports.skills.named(full.name, "team:ops") == full
    assert ports.skills.named(full.name, "personal") is None
    assert ports.skills.get("skl_nothing") is None


def a_name_is_taken_once_in_a_scope(ports: StorePorts) -> None:
    one = samples.skill(name="tidy-csv")
    ports.skills.add(one)
    ports.skills.add(samples.skill(name="tidy-csv", scope="team:ops"))
    with pytest.raises(Conflict):
        ports.skills.add(samples.skill(name="tidy-csv"))
    with pytest.raises(Conflict):
        ports.skills.add(replace(one, name="other"))
    assert len(ports.skills.all()) == 2


def all_skills_come_by_scope_and_name(ports: StorePorts) -> None:
    names = ["b-a", "ba", "a_b", "Za", "ä"]
    for name in names:
        ports.skills.add(samples.skill(name=name))
    assert [skill.name for skill in ports.skills.all()] == sorted(names)


def a_skill_is_replaced(ports: StorePorts) -> None:
    one = samples.skill()
    ports.skills.add(one)
    used = replace(one, usage_count=7, last_used_at=samples.LATER, disabled=True)
    ports.skills.replace(used)
    assert ports.skills.all() == [used]
    with pytest.raises(NotFound):
        ports.skills.replace(samples.skill())


def every_write_is_a_new_generation(ports: StorePorts) -> None:
    one, two = samples.skill(), samples.skill()
    seen = ports.skills.generation()
    ports.skills.add(one)
    ports.skills.add(two)
    assert ports.skills.generation() > seen
    assert ports.skills.since(seen) == [one, two]
    seen = ports.skills.generation()
    assert ports.skills.since(seen) == []
    used = replace(one, usage_count=1)
    ports.skills.replace(used)
    assert ports.skills.since(seen) == [used]


def a_failed_write_is_no_generation(ports: StorePorts) -> None:
    ports.skills.add(samples.skill(name="tidy-csv"))
    seen = ports.skills.generation()
    with pytest.raises(Conflict):
        ports.skills.add(samples.skill(name="tidy-csv"))
    with pytest.raises(NotFound):
        ports.skills.replace(samples.skill())
    assert ports.skills.generation() == seen


def an_embedding_comes_back_exactly(ports: StorePorts) -> None:
    one, bare = samples.skill(), samples.skill()
    ports.skills.add(one)
    ports.skills.add(bare)
    exact = vector(0.1, -0.0, 1e-45, 3.4028234663852886e38, -1 / 3)
    ports.skills.set_embedding(one.id, "a" * 64, exact)
    assert list(ports.skills.embeddings()) == [(one.id, "a" * 64, exact)]
    assert list(ports.skills.embeddings([one.id, bare.id])) == [(one.id, "a" * 64, exact)]
    assert list(ports.skills.embeddings([bare.id])) == []
    assert list(ports.skills.embeddings([])) == []


def an_embedding_is_a_generation_and_no_update(ports: StorePorts) -> None:
    one = samples.skill()
    ports.skills.add(one)
    seen = ports.skills.generation()
    ports.skills.set_embedding(one.id, "a" * 64, vector(1.0))
    assert ports.skills.since(seen) == [one]
    ports.skills.replace(replace(one, usage_count=1))
    assert [text_hash for _, text_hash, _ in ports.skills.embeddings()] == ["a" * 64]


def a_wrong_embedding_is_refused(ports: StorePorts) -> None:
    one = samples.skill()
    ports.skills.add(one)
    for wrong in (b"", b"123", vector(float("nan")), vector(float("inf"))):
        with pytest.raises(WrongCall):
            ports.skills.set_embedding(one.id, "a" * 64, wrong)
    with pytest.raises(NotFound):
        ports.skills.set_embedding("skl_nothing", "a" * 64, vector(1.0))
    assert list(ports.skills.embeddings()) == []


def many_embeddings_are_all_given(ports: StorePorts) -> None:
    ids = []
    with ports.transactions.transaction():
        for number in range(1030):
            one = samples.skill()
            ports.skills.add(one)
            ports.skills.set_embedding(one.id, "a" * 64, vector(number))
            ids.append(one.id)
    assert [skill_id for skill_id, _, _ in ports.skills.embeddings()] == ids


CHECKS = (
    a_skill_comes_back_as_it_was,
    a_name_is_taken_once_in_a_scope,
    all_skills_come_by_scope_and_name,
    a_skill_is_replaced,
    every_write_is_a_new_generation,
    a_failed_write_is_no_generation,
    an_embedding_comes_back_exactly,
    an_embedding_is_a_generation_and_no_update,
    a_wrong_embedding_is_refused,
    many_embeddings_are_all_given,
)
