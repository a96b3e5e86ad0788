"""Finished work → examples, and what people say of them.

Reads: trajectories, tasks, observations. Writes: examples, and a line of the audit trail for each
review. Never: raw text; an example is redacted before it is made. Safe to repeat: a trajectory has
one example, and what a person said of it stays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from hermes.errors import NotFound, WrongCall
from hermes.ids import derived_id, new_id
from hermes.ports import Events, Examples, Observations, Tasks, Trajectories, Transactions
from hermes.records.approval import Approval
from hermes.records.codec import Json
from hermes.records.example import Example, ExampleStatus
from hermes.records.observation import Observation
from hermes.records.task import Task
from hermes.records.trajectory import Step, StepType, Trajectory
from hermes.rules.redact.tenant import Redactor

_LONGEST_OUTPUT = 4_000
"""Characters of an answer that are kept as what was expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleDesk:
    """Keeps examples and their reviews. A review is for ever open to another one."""

    examples: Examples
    trajectories: Trajectories
    tasks: Tasks
    observations: Observations
    events: Events
    transactions: Transactions
    now: Callable[[], datetime]

    def capture(self, trajectory_id: str) -> Example:
        """The example of an observed trajectory, made once."""
        trajectory = self.trajectories.get(trajectory_id)
        if trajectory is None:
            raise NotFound(f"there is no trajectory '{trajectory_id}'")
        known = self.examples.get(example_id_of(trajectory))
        if known is not None:
            return known
        task = self.tasks.get(trajectory.task_id)
        seen = self.observations.of_trajectory(trajectory_id)
        if task is None or seen is None:
            raise NotFound(f"{trajectory_id} was not observed yet")
        steps = self.trajectories.steps(trajectory_id)
        example = example_of(trajectory, task, steps, seen, self.now())
        self.examples.add(example)
        return example

    def review(self, example: Example, status: ExampleStatus, said: Approval) -> Example:
        """What a person decided, and why; an earlier decision stays in the audit trail."""
        reviewed = replace(
            example,
            status=status,
            notes=Redactor().text(said.note) or example.notes,
            reviewer=said.by,
            reviewed_at=said.at,
        )
        with self.transactions.transaction():
            self.examples.replace(reviewed)
            self._tell(f"example.{status}", reviewed, said)
        return reviewed

    def add(self, fields: Mapping[str, Json], said: Approval) -> Example:
        """An example that a person wrote down, in the form of the file that holds it."""
        example = written_example(fields, said, self.now())
        with self.transactions.transaction():
            self.examples.add(example)
            self._tell("example.added", example, said)
        return example

    def _tell(self, kind: str, example: Example, said: Approval) -> None:
        data = {
            "task": example.task,
            "status": str(example.status),
            "note": example.notes,
            **said.how(),
        }
        self.events.append(kind, actor=said.by, subject_id=example.id, data=data)


def example_id_of(trajectory: Trajectory) -> str:
    return derived_id("example", trajectory.started_at, trajectory.id)


def example_of(
    trajectory: Trajectory, task: Task, steps: Sequence[Step], seen: Observation, at: datetime
) -> Example:
    """What is worth keeping of a run, redacted by one redactor from end to end."""
    redactor = Redactor(task.environment.get("cwd"))
    tools = trajectory.summary.tools_used if trajectory.summary else _tools(steps)
    environment = {
        name: redactor.text(value) for name, value in task.environment.items() if name != "cwd"
    }
    return Example(
        id=example_id_of(trajectory),
        trajectory_id=trajectory.id,
        task=redactor.text(task.text),
        status=ExampleStatus.CAPTURED,
        environment=environment,
        inputs={"files": [redactor.text(one.name) for one in task.inputs]} if task.inputs else {},
        tools_used=tools,
        expected_output=_answer(steps, redactor),
        notes="; ".join((_how_known(seen), *map(redactor.text, seen.key_insights))),
        created_at=at,
    )


def _tools(steps: Sequence[Step]) -> tuple[str, ...]:
    names = (step.metadata.get("tool_name") for step in steps if step.type is StepType.TOOL_CALL)
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str) and name))


def _answer(steps: Sequence[Step], redactor: Redactor) -> str | None:
    """The last thing the agent said."""
    for step in reversed(steps):
        if step.type is StepType.MESSAGE and step.metadata.get("role") == "assistant":
            return redactor.text(step.content[:_LONGEST_OUTPUT])
    return None


def _how_known(seen: Observation) -> str:
    went = {True: "succeeded", False: "failed", None: "ended, nobody knows how"}[seen.success]
    if seen.success is None:
        return went
    source = str(seen.success_source).replace("_", " ")
    return f"{went}, known by {source} ({seen.confidence:.0%} sure)"


_TEXTS = ("task", "status", "notes", "expected_output", "reviewer")
_OBJECTS = ("inputs", "environment")
_FIELDS = {*_TEXTS, *_OBJECTS, "tools_used"}


def written_example(fields: Mapping[str, Json], said: Approval, at: datetime) -> Example:
    """The example of a file; raises WrongCall that names the field where it is none."""
    _check_fields(fields)
    status = _status(fields.get("status", "captured"))
    redactor = Redactor()
    reviewed = status is not ExampleStatus.CAPTURED
    output = fields.get("expected_output")
    return Example(
        id=new_id("example"),
        trajectory_id=None,
        task=redactor.text(str(fields["task"])),
        status=status,
        environment={
            name: redactor.text(str(value)) for name, value in fields.get("environment", {}).items()
        },
        inputs=_redacted(fields.get("inputs", {}), redactor),
        tools_used=tuple(fields.get("tools_used", ())),
        expected_output=None if output is None else redactor.text(output),
        notes=redactor.text(str(fields.get("notes", ""))),
        reviewer=(fields.get("reviewer") or said.by) if reviewed else None,
        reviewed_at=said.at if reviewed else None,
        created_at=at,
    )


def _check_fields(fields: Mapping[str, Json]) -> None:
    if not isinstance(fields, Mapping):
        raise WrongCall("an example is a JSON object", hint='{"task": "…", "status": "captured"}')
    unknown = sorted(fields.keys() - _FIELDS)
    if unknown:
        raise WrongCall(f"{unknown[0]}: no such field", hint=f"known: {', '.join(sorted(_FIELDS))}")
    for name in _TEXTS:
        if fields.get(name) is not None and not isinstance(fields[name], str):
            raise WrongCall(f"{name}: expected a text")
    for name in _OBJECTS:
        if not isinstance(fields.get(name, {}), Mapping):
            raise WrongCall(f"{name}: expected an object")
    tools = fields.get("tools_used", [])
    if not isinstance(tools, list) or not all(isinstance(tool, str) for tool in tools):
        raise WrongCall("tools_used: expected a list of names")
    if not str(fields.get("task") or "").strip():
        raise WrongCall("task: it is missing, and says what was asked")


def _status(text: Json) -> ExampleStatus:
    try:
        return ExampleStatus(str(text))
    except ValueError as error:
        known = ", ".join(ExampleStatus)
        raise WrongCall(f"status: expected one of {known}, found {text!r}") from error


def _redacted(value: Mapping[str, Json], redactor: Redactor) -> dict[str, Json]:
    """Nested values too: redaction keeps JSON what it is."""
    plain: dict[str, Json] = json.loads(redactor.text(json.dumps(value, ensure_ascii=False)))
    return plain
