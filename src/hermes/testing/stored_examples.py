"""Examples as a recorder would leave them in a store, with the bytes of their files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from hermes.ids import new_id
from hermes.ports import Blobs
from hermes.records.artefact import Artefact, ArtefactRole
from hermes.records.trajectory import Step, StepType, TrajectoryState
from hermes.testing import samples
from hermes.testing.store import StorePorts

CWD = "/home/ann/proj"

Files = Mapping[str, bytes | None]
"""Name → bytes; None for a file whose bytes the log does not show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call with its result, and the files that it wrote."""

    tool: str = "Bash"
    arguments: Mapping[str, str]
    output: str = ""
    failed: bool = False
    writes: Files = field(default_factory=dict)


def bash(
    command: str, output: str = "", *, failed: bool = False, writes: Files | None = None
) -> Call:
    """A command in a shell."""
    arguments = {"command": command}
    return Call(arguments=arguments, output=output, failed=failed, writes=writes or {})


class StoredExamples:
    """Puts whole examples into a store: session, task, trajectory, steps, bytes."""

    def __init__(self, ports: StorePorts, blobs: Blobs) -> None:
        self._ports = ports
        self._blobs = blobs

    def add(self, task: str, *calls: Call, inputs: Files | None = None) -> str:
        """One finished example of this task; its id."""
        session = samples.session(external_id=new_id("external"))
        given = tuple(
            self._artefact(name, data, ArtefactRole.GIVEN) for name, data in (inputs or {}).items()
        )
        asked = samples.task(
            session_id=session.id, text=task, inputs=given, environment={"cwd": CWD}
        )
        head = samples.trajectory(asked.id, session_id=session.id)
        kept = samples.example(trajectory_id=head.id, task=task)
        with self._ports.transactions.transaction():
            self._ports.sessions.add(session)
            self._ports.tasks.add(asked)
            self._ports.trajectories.add(head)
            for number, call in enumerate(calls):
                for step in self._steps(2 * number + 1, call):
                    self._ports.trajectories.append(head.id, step)
            ended = replace(head, state=TrajectoryState.FINISHED, ended_at=samples.LATER)
            self._ports.trajectories.end(ended)
            self._ports.examples.add(kept)
        return kept.id

    def _steps(self, first: int, call: Call) -> tuple[Step, Step]:
        named = {"tool_name": call.tool, "call_id": str(first)}
        written = tuple(
            self._artefact(name, data, ArtefactRole.WRITTEN) for name, data in call.writes.items()
        )
        return (
            samples.step(
                first,
                type=StepType.TOOL_CALL,
                content=" ".join(call.arguments.values()),
                metadata={**named, "arguments": dict(call.arguments)},
                artefacts=written,
            ),
            samples.step(
                first + 1,
                type=StepType.OBSERVATION,
                content=call.output,
                metadata={**named, "error": call.failed, "exit_code": int(call.failed)},
            ),
        )

    def _artefact(self, name: str, data: bytes | None, role: ArtefactRole) -> Artefact:
        content = None if data is None else self._blobs.put(data)
        return Artefact(name=name, role=role, content=content, size=len(data or b""))
