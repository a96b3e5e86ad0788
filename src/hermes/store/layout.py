"""Which tables there are, how each is walked, and which record lies in it.

The schema is written in the migrations; this is what tools that treat all tables alike (backup,
copy, verify) need to know of it. A test compares the two.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hermes.records.candidate import Candidate
from hermes.records.change import Change
from hermes.records.event import Event
from hermes.records.example import Example
from hermes.records.feedback import Feedback
from hermes.records.grant import Grant
from hermes.records.health import HealthCheck
from hermes.records.imported import ImportedFile
from hermes.records.intent import Intent
from hermes.records.job import Worker
from hermes.records.memory import Memory
from hermes.records.observation import Observation
from hermes.records.pattern import Pattern
from hermes.records.release import Release
from hermes.records.scope import User
from hermes.records.session import Session
from hermes.records.skill import Skill
from hermes.records.task import Task
from hermes.records.trajectory import Step, Trajectory
from hermes.records.use import Use
from hermes.records.verdict import Verdict
from hermes.records.version import Version
from hermes.records.waiting import Waiting


class Layout(NamedTuple):
    """One table. `key` orders it; `page` is how many rows may be in memory at once.

    `references` are (column, table whose id it is). A `seeded` table has rows from its migration.
    """

    table: str
    record: Any = None
    key: tuple[str, ...] = ("id",)
    references: tuple[tuple[str, str], ...] = ()
    blobs: tuple[str, ...] = ()
    vectors: tuple[str, ...] = ()
    page: int = 500
    seeded: bool = False


_SKILL = ("skill_id", "skills")
_VERSION = ("version_id", "versions")
_SESSION = ("session_id", "sessions")
_TASK = ("task_id", "tasks")
_TRAJECTORY = ("trajectory_id", "trajectories")

TABLES = (
    Layout("generation", seeded=True),
    Layout(
        "skills", Skill, references=(("active_version_id", "versions"),), vectors=("embedding",)
    ),
    Layout("versions", Version, references=(_SKILL, ("parent_id", "versions"))),
    Layout("contents", key=("hash",), blobs=("data",), page=8),
    Layout(
        "candidates", Candidate, references=(_SKILL, _VERSION, ("parent_version_id", "versions"))
    ),
    Layout("verdicts", Verdict, references=(("candidate_id", "candidates"),)),
    Layout("releases", Release, references=(_SKILL, _VERSION, ("previous_version_id", "versions"))),
    Layout("changes", Change, references=(_SKILL, _VERSION)),
    Layout("grants", Grant, references=(_SKILL, _VERSION)),
    Layout("events", Event, key=("seq",)),
    Layout("journal", Intent),
    Layout("sessions", Session),
    Layout("tasks", Task, references=(_SESSION,)),
    Layout("trajectories", Trajectory, references=(_TASK, _SESSION)),
    Layout("steps", Step, key=("trajectory_id", "step_id"), references=(_TRAJECTORY,)),
    Layout(
        "passages",
        key=("trajectory_id",),
        references=(_TRAJECTORY,),
        blobs=("places", "words"),
    ),
    Layout(
        "passage_vectors",
        key=("trajectory_id",),
        references=(_TRAJECTORY,),
        blobs=("vectors",),
    ),
    Layout("passages_gone", key=("number",)),
    Layout("followed", key=("name",)),
    Layout("outbox", Waiting, key=("trajectory_id",), references=(_TRAJECTORY,)),
    Layout("review_counts", key=("session_id", "kind")),
    Layout("open_runs", key=("trajectory_id",), references=(_TRAJECTORY,)),
    Layout("observations", Observation, references=(_TRAJECTORY,)),
    Layout("examples", Example),
    Layout("patterns", Pattern),
    Layout("clusters", blobs=("total",)),
    Layout(
        "placements",
        key=("example_id",),
        references=(("example_id", "examples"), ("cluster_id", "clusters")),
        blobs=("vector",),
    ),
    Layout("uses", Use, references=(_SKILL, ("release_id", "releases"), _TASK)),
    Layout("feedback", Feedback, references=(_TRAJECTORY,)),
    Layout("health_checks", HealthCheck, references=(_SKILL, _VERSION)),
    Layout("imported_files", ImportedFile, key=("path",)),
    Layout("memories", Memory),
    Layout("memory_terms"),
    Layout("memory_postings", key=("term_id", "number"), page=5_000),
    Layout("memory_vectors", key=("number",), vectors=("embedding",)),
    Layout("memories_gone", key=("number",)),
    Layout("memory_tallies", key=("scope", "name")),
    Layout("workers", Worker),
    Layout("users", User),
)
