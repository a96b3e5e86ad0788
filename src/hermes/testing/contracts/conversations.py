"""Sessions and tasks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.errors import Conflict, NotFound
from hermes.records.artefact import Artefact, ArtefactRole
from hermes.records.session import REVIEW_SOURCE
from hermes.testing import samples
from hermes.testing.store import StorePorts


def a_session_comes_back_as_it_was(ports: StorePorts) -> None:
    one = samples.session(external_id="abc", title="Zeilen sortieren, später", cwd="/p", model="m")
    ports.sessions.add(one)
    assert ports.sessions.get(one.id) == one
    assert ports.sessions.get("ses_nothing") is None


def a_session_is_added_once(ports: StorePorts) -> None:
    one = samples.session()
    ports.sessions.add(one)
    with pytest.raises(Conflict):
        ports.sessions.add(one)


def an_import_is_not_done_twice(ports: StorePorts) -> None:
    ports.sessions.add(samples.session(source="codex", external_id="abc"))
    ports.sessions.add(samples.session(source="claude-code", external_id="abc"))
    ports.sessions.add(samples.session(source="codex", external_id=None))
    ports.sessions.add(samples.session(source="codex", external_id=None))
    with pytest.raises(Conflict):
        ports.sessions.add(samples.session(source="codex", external_id="abc"))


def a_session_is_found_by_its_own_agents_id(ports: StorePorts) -> None:
    one = samples.session(source="codex", external_id="abc")
    ports.sessions.add(one)
    assert ports.sessions.find("codex", "abc") == one
    assert ports.sessions.find("hermes", "abc") is None


def a_session_is_replaced(ports: StorePorts) -> None:
    one = samples.session()
    ports.sessions.add(one)
    ended = replace(one, title="done", ended_at=samples.LATER)
    ports.sessions.replace(ended)
    assert ports.sessions.get(one.id) == ended
    with pytest.raises(NotFound):
        ports.sessions.replace(samples.session())


def sessions_come_by_pages(ports: StorePorts) -> None:
    added = [samples.session() for _ in range(5)]
    for one in reversed(added):
        ports.sessions.add(one)
    assert ports.sessions.page(limit=2) == added[:2]
    assert ports.sessions.page(after=added[1].id, limit=2) == added[2:4]
    assert ports.sessions.page(after=added[4].id) == []


def a_task_comes_back_as_it_was(ports: StorePorts) -> None:
    given = Artefact(name="a.csv", role=ArtefactRole.GIVEN, content="0" * 64, size=3)
    asked = samples.task(inputs=(given,), environment={"os": "linux"}, scope="team:ops")
    ports.tasks.add(asked)
    assert ports.tasks.get(asked.id) == asked
    with pytest.raises(Conflict):
        ports.tasks.add(asked)


def a_task_is_put_again(ports: StorePorts) -> None:
    asked = samples.task()
    ports.tasks.put(asked)
    given = Artefact(name="a.csv", role=ArtefactRole.GIVEN, content=None, size=0)
    known_better = replace(asked, inputs=(given,))
    ports.tasks.put(known_better)
    assert ports.tasks.get(asked.id) == known_better


def an_imported_file_is_remembered(ports: StorePorts) -> None:
    seen = samples.imported_file(path="/logs/späte Zeilen.jsonl")
    assert ports.imported_files.get(seen.path) is None
    ports.imported_files.put(seen)
    grown = replace(seen, size=seen.size + 1, mtime_ns=2**62)
    ports.imported_files.put(grown)
    assert ports.imported_files.get(seen.path) == grown
    assert ports.imported_files.get("/logs") is None


def tasks_of_a_session_come_in_order(ports: StorePorts) -> None:
    one = samples.session()
    ports.sessions.add(one)
    asked = [samples.task(session_id=one.id) for _ in range(3)]
    for task in (*reversed(asked), samples.task()):
        ports.tasks.add(task)
    assert ports.tasks.of_session(one.id) == asked
    assert ports.tasks.of_session("ses_nothing") == []


def a_look_back_is_not_work(ports: StorePorts) -> None:
    for source in ("hermes", "hermes", REVIEW_SOURCE):
        session = samples.session(source=source)
        ports.sessions.add(session)
        asked = samples.task(session_id=session.id)
        ports.tasks.add(asked)
        ports.trajectories.add(samples.trajectory(asked.id, session_id=session.id))
    every = ports.trajectories.page()
    assert len(every) == 3
    assert ports.trajectories.page_of_work() == every[:2]
    assert ports.trajectories.page_of_work(after=every[0].id, limit=1) == every[1:2]


CHECKS = (
    a_look_back_is_not_work,
    a_session_comes_back_as_it_was,
    a_session_is_added_once,
    an_import_is_not_done_twice,
    a_session_is_found_by_its_own_agents_id,
    a_session_is_replaced,
    sessions_come_by_pages,
    a_task_comes_back_as_it_was,
    a_task_is_put_again,
    an_imported_file_is_remembered,
    tasks_of_a_session_come_in_order,
)
