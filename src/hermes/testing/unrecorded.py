"""An agent that learns nothing and writes nothing down: what is left when all of that is off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from hermes.agent.confinement import Confinement
from hermes.agent.tool import Toolbox
from hermes.agent.tools.files import file_tools
from hermes.agent.tools.shell import Ground, shell_tools
from hermes.agent.working import Worker
from hermes.app import Home
from hermes.app.models import agent_model, spend_guard
from hermes.app.sandbox import workspace_ground
from hermes.ports.execution import Brief, Listener
from hermes.records.artefact import Artefact
from hermes.records.codec import Json
from hermes.records.tool_answer import ToolAnswer
from hermes.records.turn import Answer, Spent
from hermes.stages.execute.prompt import prompt
from hermes.testing.agents import Answers


class Unrecorded:
    """A recorder that keeps nothing."""

    def message(self, role: str, text: str, **metadata: Json) -> None: ...
    def thought(self, text: str) -> None: ...
    def called(
        self,
        call_id: str,
        tool: str,
        arguments: Mapping[str, Json],
        artefacts: Sequence[Artefact] = (),
    ) -> None: ...
    def answered(self, call_id: str, tool: str, answer: ToolAnswer) -> None: ...
    def spent(self, spent: Spent) -> None: ...


class UnrecordedAgent:
    """The same loop on the same model, with all tools but those of learning, and a prompt that is
    always the same."""

    def __init__(self, home: Home, project: Path, model: str) -> None:
        settings = home.settings
        sandbox, policy, host = workspace_ground(settings, project)
        ground = Ground(
            sandbox=sandbox,
            policy=policy,
            asker=Answers(),
            who="nobody",
            granted=lambda _what, _command: None,
            host=host,
        )
        box = Toolbox.of([*file_tools(Confinement(project)), *shell_tools(ground)])
        self._worker = Worker(
            agent_model(settings, model), lambda: box, lambda: spend_guard(settings)
        )

    def ask(self, text: str, listener: Listener) -> Answer:
        brief = Brief(prompt=text, instructions=lambda: prompt("agent"))
        return self._worker.work(brief, Unrecorded(), listener)

    def close(self) -> None:
        self._worker.close()
