"""Who may write to a skill at all, before anybody asks whether the content is good."""

from __future__ import annotations

from hermes.errors import Conflict, NotFound, Refused
from hermes.records.candidate import Action
from hermes.records.origin import AGENT_ORIGINS, Origin
from hermes.records.skill import Skill, SkillState


def guard_write(name: str, skill: Skill | None, action: Action, origin: Origin) -> None:
    """Raises unless a proposal of this kind may be made now; says what to do instead."""
    live = skill is not None and skill.active_version_id is not None
    if skill is not None and skill.pinned and origin in AGENT_ORIGINS:
        raise Refused(
            f"skill '{name}' is pinned: a person decided that no agent changes it",
            hint=f"a person can run `hermes skills unpin {name}`",
        )
    if skill is not None and skill.state is SkillState.ARCHIVED:
        raise Refused(
            f"skill '{name}' is archived; writing it anew would lose its history",
            hint=f"`hermes skills restore {name}` brings it back, or choose another name",
        )
    if action is Action.CREATE and live:
        raise Conflict(
            f"skill '{name}' exists already",
            hint="use action 'patch' or 'edit' to change it, or choose another name",
        )
    if action is not Action.CREATE and not live:
        raise NotFound(f"there is no live skill '{name}'", hint="use action 'create' to make it")


def guard_archive(skill: Skill, origin: Origin) -> None:
    """An agent may put away what agents made. What a person made, a person puts away."""
    if origin not in AGENT_ORIGINS:
        return
    if skill.pinned:
        raise Refused(
            f"skill '{skill.name}' is pinned: a person decided that no agent changes it",
            hint=f"a person can run `hermes skills unpin {skill.name}`",
        )
    if skill.origin not in AGENT_ORIGINS and origin is not Origin.REQUESTED_BY_USER:
        raise Refused(
            f"skill '{skill.name}' was made by a person or another program, not by an agent",
            hint=f"ask the user to run `hermes skills archive {skill.name}`",
        )
