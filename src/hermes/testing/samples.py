"""One plausible record of each word, for tests that need one and do not care which.

Every function takes the fields that matter to the test by name; references are always explicit.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hermes.ids import new_id
from hermes.records.approval import Approval, Channel
from hermes.records.candidate import Action, Candidate, Evidence
from hermes.records.change import Act, Change
from hermes.records.example import Example, ExampleStatus
from hermes.records.feedback import Feedback
from hermes.records.folder import FileContent, Folder
from hermes.records.health import HealthCheck, HealthOutcome
from hermes.records.imported import ImportedFile
from hermes.records.intent import Intent
from hermes.records.memory import Memory, MemoryKind, Trust
from hermes.records.observation import ErrorRecovery, Observation, SuccessSource
from hermes.records.origin import Origin
from hermes.records.pattern import Pattern
from hermes.records.release import Release, ReleaseState
from hermes.records.scope import Role, User
from hermes.records.session import Session
from hermes.records.skill import Skill
from hermes.records.task import Task
from hermes.records.trajectory import Step, StepType, Trajectory, TrajectoryState
from hermes.records.use import Arm, Use
from hermes.records.verdict import Check, CheckOutcome, Decision, Scores, Verdict
from hermes.records.version import Version, VersionState

NOW = datetime(2026, 11, 15, 20, 38, 0, 123456, tzinfo=UTC)
LATER = NOW + timedelta(minutes=7)
APPROVAL = Approval(
    by="ana", os_user="ana", channel=Channel.TERMINAL, agent_session_open=False, at=NOW
)
FOLDER = Folder(
    {
        "SKILL.md": FileContent(b"---\nname: tidy-csv\n---\nSort the rows.\n"),
        "scripts/run.py": FileContent(b"print('done')\n", executable=True),
    }
)


def skill(**fields: Any) -> Skill:
    skill_id = new_id("skl")
    name = fields.get("name", f"skill-{skill_id[4:]}".replace("_", "-"))
    values: dict[str, Any] = {
        "id": skill_id,
        "name": name,
        "location": name,
        "description": "Tidies CSV files. Use when rows are out of order.",
        "origin": Origin.USER,
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Skill(**values | fields)


def version(skill_id: str, folder: Folder = FOLDER, **fields: Any) -> Version:
    values: dict[str, Any] = {
        "id": new_id("ver"),
        "skill_id": skill_id,
        "number": 1,
        "tree": folder.tree(),
        "files": folder.entries(),
        "parent_id": None,
        "origin": Origin.USER,
        "author": "ana",
        "state": VersionState.DRAFT,
        "created_at": NOW,
    }
    return Version(**values | fields)


def candidate(skill_id: str, version_id: str, **fields: Any) -> Candidate:
    values: dict[str, Any] = {
        "id": new_id("cnd"),
        "skill_id": skill_id,
        "skill_name": "tidy-csv",
        "version_id": version_id,
        "parent_version_id": None,
        "action": Action.CREATE,
        "summary": "a new skill",
        "origin": Origin.USER,
        "author": "ana",
        "session_id": None,
        "evidence": Evidence(),
        "created_at": NOW,
    }
    return Candidate(**values | fields)


def verdict(candidate_id: str, **fields: Any) -> Verdict:
    values: dict[str, Any] = {
        "id": new_id("vrd"),
        "candidate_id": candidate_id,
        "checks": (Check(name="format", outcome=CheckOutcome.PASSED),),
        "scores": Scores(measure="success rate", before=0.5, after=0.75),
        "example_ids": (),
        "decision": Decision.VALIDATED,
        "reason": "every check passed",
        "decided_at": NOW,
    }
    return Verdict(**values | fields)


def release(skill_id: str, version_id: str, **fields: Any) -> Release:
    values: dict[str, Any] = {
        "id": new_id("rel"),
        "skill_id": skill_id,
        "version_id": version_id,
        "previous_version_id": None,
        "state": ReleaseState.ACTIVE,
        "share": 1.0,
        "approval": APPROVAL,
        "released_at": NOW,
    }
    return Release(**values | fields)


def change(skill_id: str, **fields: Any) -> Change:
    values: dict[str, Any] = {
        "id": new_id("chg"),
        "skill_id": skill_id,
        "act": Act.PIN,
        "reason": "it is good as it is",
        "version_id": None,
        "approval": APPROVAL,
        "at": NOW,
    }
    return Change(**values | fields)


def intent(skill_id: str, **fields: Any) -> Intent:
    values: dict[str, Any] = {
        "id": new_id("int"),
        "home": "/home/ana/.hermes",
        "skill_id": skill_id,
        "location": "tidy-csv",
        "old_tree": None,
        "new_tree": FOLDER.tree(),
        "new_version_id": None,
        "work": "{}",
        "created_at": NOW,
    }
    return Intent(**values | fields)


def session(**fields: Any) -> Session:
    values: dict[str, Any] = {"id": new_id("ses"), "source": "hermes", "started_at": NOW}
    return Session(**values | fields)


def task(**fields: Any) -> Task:
    values: dict[str, Any] = {
        "id": new_id("tsk"),
        "session_id": None,
        "text": "sort the rows of report.csv",
        "created_at": NOW,
    }
    return Task(**values | fields)


def trajectory(task_id: str, **fields: Any) -> Trajectory:
    values: dict[str, Any] = {
        "id": new_id("trj"),
        "task_id": task_id,
        "session_id": None,
        "state": TrajectoryState.OPEN,
        "started_at": NOW,
    }
    return Trajectory(**values | fields)


def step(step_id: int, **fields: Any) -> Step:
    values: dict[str, Any] = {
        "step_id": step_id,
        "type": StepType.TOOL_CALL,
        "content": "sort report.csv",
        "timestamp": step_id / 8,
        "metadata": {"tool_name": "shell"},
    }
    return Step(**values | fields)


def observation(trajectory_id: str, **fields: Any) -> Observation:
    values: dict[str, Any] = {
        "id": new_id("obs"),
        "trajectory_id": trajectory_id,
        "success": True,
        "success_source": SuccessSource.VERIFY,
        "confidence": 0.9,
        "efficiency_score": 0.5,
        "error_recovery": ErrorRecovery(),
        "learning_value": 0.7,
        "created_at": NOW,
    }
    return Observation(**values | fields)


def example(**fields: Any) -> Example:
    values: dict[str, Any] = {
        "id": new_id("exm"),
        "trajectory_id": None,
        "task": "sort the rows",
        "status": ExampleStatus.CAPTURED,
        "inputs": {"file": "report.csv"},
        "created_at": NOW,
    }
    return Example(**values | fields)


def pattern(**fields: Any) -> Pattern:
    values: dict[str, Any] = {
        "id": new_id("pat"),
        "intent": "sort a file",
        "example_ids": (),
        "reason": "the same tool calls in the same order",
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Pattern(**values | fields)


def use(released: Release, task_id: str, **fields: Any) -> Use:
    values: dict[str, Any] = {
        "id": new_id("use"),
        "skill_id": released.skill_id,
        "release_id": released.id,
        "task_id": task_id,
        "trajectory_id": None,
        "arm": Arm.RELEASE,
        "assigned_at": NOW,
    }
    return Use(**values | fields)


def health_check(skill_id: str, version_id: str, **fields: Any) -> HealthCheck:
    values: dict[str, Any] = {
        "id": new_id("hlt"),
        "skill_id": skill_id,
        "version_id": version_id,
        "status": HealthOutcome.HEALTHY,
        "ran": ("scripts/test_run.py",),
        "environment": ("python 3.11.7",),
        "seconds": 0.25,
        "checked_at": NOW,
    }
    return HealthCheck(**values | fields)


def imported_file(**fields: Any) -> ImportedFile:
    values: dict[str, Any] = {
        "path": "/home/ana/logs/one.jsonl",
        "size": 4096,
        "mtime_ns": 1_763_239_080_123_456_789,
        "head": "0" * 64,
        "how": "auto",
        "sessions": 1,
        "tasks": 2,
        "steps": 40,
        "problems": 0,
        "imported_at": NOW,
    }
    return ImportedFile(**values | fields)


def memory(**fields: Any) -> Memory:
    values: dict[str, Any] = {
        "id": new_id("mem"),
        "text": "reports are sorted by date",
        "kind": MemoryKind.SEMANTIC,
        "source": "ana",
        "trust": Trust.USER,
        "created_at": NOW,
    }
    return Memory(**values | fields)


def feedback(trajectory_id: str, **fields: Any) -> Feedback:
    values: dict[str, Any] = {
        "id": new_id("fbk"),
        "trajectory_id": trajectory_id,
        "rating": 5,
        "correction": None,
        "by": "ana",
        "at": NOW,
    }
    return Feedback(**values | fields)


def user(name: str = "ana", **fields: Any) -> User:
    values: dict[str, Any] = {
        "id": new_id("usr"),
        "name": name,
        "role": Role.REVIEWER,
        "token_hash": None,
        "created_at": NOW,
    }
    return User(**values | fields)
