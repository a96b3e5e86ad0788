"""Settlement: what the store commits once a folder on disk has become what was intended.

It travels inside the Intent, so that whoever opens the home after a crash can finish the work
without knowing what the dead process had in mind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hermes.records.change import Change
from hermes.records.codec import Json
from hermes.records.procedure import Procedure
from hermes.records.release import Release
from hermes.records.version import VersionState


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillHead:
    """What a skill's row repeats of its folder, so that lists need not open every one."""

    description: str
    tags: tuple[str, ...] = ()
    category: str = ""
    location: str
    procedure: Procedure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """`release` becomes active; None means that the skill is archived.

    `outgoing_state` is where the version that was active moves: superseded or rolled_back.
    """

    skill_id: str
    release: Release | None
    head: SkillHead | None
    outgoing_state: VersionState
    outgoing_reason: str
    change: Change | None
    is_patch: bool
    event: str
    actor: str
    subject_id: str
    data: Mapping[str, Json] = field(default_factory=dict)
