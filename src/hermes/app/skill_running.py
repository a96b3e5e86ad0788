"""A skill's program run where the agent works, within the walls of the agent's own shell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from hermes.records.sandbox import PACKAGES_TARGET, Mount
from hermes.records.tool_answer import ToolAnswer

if TYPE_CHECKING:
    from hermes.agent.tools.shell import Ground
    from hermes.app.home import Home
    from hermes.records.codec import Json
    from hermes.records.folder import Folder
    from hermes.records.procedure import Procedure
    from hermes.records.skill import Skill


def run_in_project(
    home: Home,
    skill: Skill,
    folder: Folder,
    procedure: Procedure,
    values: Mapping[str, Json],
    ground: Ground,
) -> ToolAnswer:
    """Bind, run, and say how it ended. It has the hosts that the skill was granted, no others."""
    from hermes.agent.tools.shell import told
    from hermes.app.granting import network_grant
    from hermes.app.sandbox import package_environments
    from hermes.rules.requirements import declared
    from hermes.rules.templates import bind

    assert procedure.code_template is not None
    requirements = declared(folder, procedure.dependencies)
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
    program = bind(procedure.code_template, values)
    result = ground.sandbox.run(["python3", "-"], policy, stdin=program.encode())
    return told(result, {"program": "of a skill"})
