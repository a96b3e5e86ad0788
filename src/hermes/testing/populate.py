"""A small, whole store: at least one row in every table, and everything agrees."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import cast

from hermes.ports.past import Reading
from hermes.records.folder import FileContent, Folder
from hermes.records.job import Worker
from hermes.records.release import ReleaseState
from hermes.records.skill import Skill
from hermes.records.trajectory import TrajectoryState
from hermes.records.version import VersionState
from hermes.records.waiting import ReviewKind
from hermes.store.database import Database
from hermes.store.tables.execution import OpenRunTable, ReviewCountTable
from hermes.store.tables.worker import WorkerTable
from hermes.testing import samples
from hermes.testing.grants import sample_grant
from hermes.testing.store import StorePorts, store_ports


def populate(database: Database) -> Skill:
    """A skill that was released twice, and the work it came from; returns the skill."""
    ports = store_ports(database)
    skill = _library(ports)
    _work(ports)
    ports.imported_files.put(samples.imported_file())
    kept, gone = samples.memory(text="späte Zeilen ✓"), samples.memory()
    for memory in (kept, gone):
        ports.memories.add(memory)
        ports.memory_words.put(memory.id, {"späte": 1, "zeilen": 2}, memory.id)
        ports.memory_vectors.put(memory.id, "topics", b"\0\0\x80\x3f")
    ports.memories.delete(gone.id)
    ports.memory_tallies.add("personal", "added", 2)
    ports.users.add(samples.user("ana", token_hash="0" * 64))
    ports.journal.open(samples.intent(skill.id))
    return skill


def _library(ports: StorePorts) -> Skill:
    skill = samples.skill(name="tidy-csv", tags=("csv",), success_rate=0.1 + 0.2)
    later = Folder({**samples.FOLDER.files, "notes.bin": FileContent(bytes(range(256)))})
    first = samples.version(skill.id, state=VersionState.SUPERSEDED)
    second = samples.version(
        skill.id, later, number=2, parent_id=first.id, state=VersionState.ACTIVE
    )
    ports.skills.add(skill)
    ports.versions.add(first, samples.FOLDER.contents())
    ports.versions.add(second, later.contents())
    for version, parent in ((first, None), (second, first.id)):
        candidate = samples.candidate(skill.id, version.id, parent_version_id=parent)
        ports.candidates.add(candidate)
        ports.verdicts.add(samples.verdict(candidate.id))
    ended = samples.release(
        skill.id,
        first.id,
        state=ReleaseState.ENDED,
        ended_at=samples.LATER,
        end_reason="superseded",
    )
    ports.releases.add(ended)
    ports.releases.add(samples.release(skill.id, second.id, previous_version_id=first.id))
    ports.changes.add(samples.change(skill.id))
    ports.health_checks.add(samples.health_check(skill.id, second.id))
    ports.grants.add(sample_grant(skill.id, second.id, revoked=samples.APPROVAL))
    live = replace(skill, active_version_id=second.id)
    ports.skills.replace(live)
    ports.skills.set_embedding(skill.id, "a" * 64, struct.pack("<3f", 0.1, -1e-45, 0.5))
    for kind in ("skill.added", "release.added", "release.ended"):
        ports.events.append(kind, actor="ana", subject_id=skill.id, skill_id=skill.id)
    return live


def _work(ports: StorePorts) -> None:
    session = samples.session(external_id="abc")
    task = samples.task(session_id=session.id)
    trajectory = samples.trajectory(task.id, session_id=session.id)
    ports.sessions.add(session)
    ports.tasks.add(task)
    ports.trajectories.add(trajectory)
    for number in (1, 2, 3):
        ports.trajectories.append(trajectory.id, samples.step(number, content=f"🧪 {number}"))
    ports.trajectories.end(
        replace(trajectory, state=TrajectoryState.FINISHED, ended_at=samples.LATER)
    )
    _indexed(ports, trajectory.id)
    ports.observations.put(samples.observation(trajectory.id))
    example = samples.example(trajectory_id=trajectory.id)
    ports.examples.add(example)
    ports.clusters.save("pattern_1", 1, struct.pack("<2f", 0.5, -1e-45))
    ports.clusters.put(example.id, "pattern_1", struct.pack("<2f", 0.5, -1e-45))
    ports.patterns.put(samples.pattern())
    ports.feedback.add(samples.feedback(trajectory.id, correction="sort by date"))
    for release in ports.releases.page():
        ports.uses.add(samples.use(release, task.id, trajectory_id=trajectory.id))


def _indexed(ports: StorePorts, trajectory_id: str) -> None:
    """Indexed twice, so that a number is gone."""
    ended = ports.trajectories.get(trajectory_id)
    assert ended is not None
    for _ in range(2):
        ports.passages.put([Reading(ended, b"\0\x01", b"\xff\xfe")], form=1)
    run = ports.passages.of_run(trajectory_id)
    assert run is not None
    ports.passages.put_vectors(run, "topics/1", b"\0\0\x7f")
    ports.followed.reached("manuals", 3)
    database = cast(Database, ports.transactions)
    OpenRunTable(database).put(trajectory_id, "home_1/run_1")
    ReviewCountTable(database).put("session_1", {ReviewKind.SKILL: 4})
    WorkerTable(database).put(Worker(id="home_1/run_1", host="here", beat_at=ended.started_at))
