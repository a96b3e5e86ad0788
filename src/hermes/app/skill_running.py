"""A skill's program run where the agent works, within the walls of the agent's own shell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hermes.errors import Refused
from hermes.records.sandbox import PACKAGES_TARGET, Mount
from hermes.records.tool_answer import ToolAnswer

if TYPE_CHECKING:
    from hermes.agent.tools.shell import Ground
    from hermes.app.home import Home
    from hermes.ports import Versions
    from hermes.records.codec import Json
    from hermes.records.procedure import Procedure
    from hermes.records.skill import Skill


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What a version can run, and the packages it needs for that."""

    procedure: Procedure
    requirements: tuple[str, ...]


class Programs:
    """Of one session. A version never changes, so each is read once."""

    def __init__(self, versions: Versions) -> None:
        self._versions = versions
        self._known: dict[str, Program | None] = {}

    def of(self, version_id: str) -> Program | None:
        """None where there are only words to follow, or the file is no procedure."""
        if version_id not in self._known:
            self._known[version_id] = self._read(version_id)
        return self._known[version_id]

    def _read(self, version_id: str) -> Program | None:
        from hermes.rules.procedures import PROCEDURE_FILE, runnable
        from hermes.rules.requirements import declared

        version = self._versions.get(version_id)
        if version is None or all(file.path != PROCEDURE_FILE for file in version.files):
            return None
        folder = self._versions.folder(version)
        try:
            procedure = runnable(folder, version_id)
        except Refused:  # words to follow, no program
            return None
        requirements = declared(folder, procedure.dependencies)
        return Program(procedure=procedure, requirements=requirements)


def run_in_project(
    home: Home, skill: Skill, program: Program, values: Mapping[str, Json], ground: Ground
) -> ToolAnswer:
    """Bind, run, and say how it ended. It has the hosts that the skill was granted, no others."""
    from hermes.agent.tools.shell import told
    from hermes.app.granting import network_grant
    from hermes.app.sandbox import package_environments
    from hermes.rules.templates import bind

    template, requirements = program.procedure.code_template, program.requirements
    assert template is not None
    packages = package_environments(home.settings).find(requirements) if requirements else None
    if requirements and packages is None:
        return ToolAnswer(
            text=f"{skill.name} needs packages that are not installed: {', '.join(requirements)}. "
            f"A person can run `hermes skills health --name {skill.name} --install --by NAME`.",
            failed=True,
        )
    policy = replace(ground.policy, network=network_grant(home, skill))
    if packages is not None:
        mounts = (*policy.mounts, Mount(source=packages, target=PACKAGES_TARGET))
        policy = replace(policy, mounts=mounts)
    code = bind(template, values)
    result = ground.sandbox.run(["python3", "-"], policy, stdin=code.encode())
    return told(result, {"program": "of a skill"})
