"""Manuals: a declarative memory of every live skill, in step with the library.

The library's generation says what was written since the last look, by whichever process; what a
person edits on disk is in it as soon as the reader has noticed it. Where nothing was written this
reads two numbers. A skill that is no longer live has its manual expired, not forgotten: restored,
it is found again.
"""

from __future__ import annotations

from dataclasses import replace

from hermes.ids import derived_id
from hermes.memory.derived import DerivedMemories
from hermes.memory.remember import Keeping
from hermes.ports import Followed, Skills
from hermes.records.memory import Memory, MemoryKind, Trust
from hermes.records.origin import Origin
from hermes.records.skill import Skill
from hermes.rules.remembering.cleaning import cleaned
from hermes.rules.remembering.instructions import instruction_in
from hermes.rules.remembering.manuals import manual_text

_NAME = "manuals"
_OWN_WORDS = (Origin.USER, Origin.REQUESTED_BY_USER)


class Manuals:
    def __init__(self, keeping: Keeping, skills: Skills, followed: Followed) -> None:
        self._keeping = keeping
        self._memories = DerivedMemories(keeping)
        self._skills = skills
        self._followed = followed

    def follow(self) -> int:
        """How many manuals are new, changed, expired or back."""
        generation, since = self._skills.generation(), self._followed.generation(_NAME)
        if generation == since:
            return 0
        if generation < since:  # an older database took its place
            since = -1
        changed = self._skills.since(since)
        if not changed:
            return 0
        manuals = [one for skill in changed if (one := self._manual(skill)) is not None]
        count = self._memories.put(manuals, lambda memory: True)
        self._followed.reached(_NAME, generation)
        return count

    def _manual(self, skill: Skill) -> Memory | None:
        """What memory is to hold of a skill; None for one that never was live."""
        known = self._keeping.memories.get(manual_id(skill))
        if skill.is_shown:
            return _memory(skill)
        if known is None or known.expires_at is not None:
            return known
        return replace(known, expires_at=self._keeping.clock.now())


def manual_id(skill: Skill) -> str:
    """The memory that tells of a skill; it keeps it under another name too."""
    return derived_id("mem", skill.created_at, "manual", skill.id)


def _memory(skill: Skill) -> Memory:
    """Whoever let the skill go live has allowed what it says of itself."""
    text = cleaned(manual_text(skill))
    trust = Trust.USER if skill.origin in _OWN_WORDS else Trust.DERIVED
    allowed = trust is Trust.USER or bool(skill.approver)
    return Memory(
        id=manual_id(skill),
        text=text,
        kind=MemoryKind.DECLARATIVE,
        scope=skill.scope,
        source=f"skill:{skill.id}@{skill.active_version_id}",
        trust=trust,
        created_at=skill.updated_at,
        waiting=not allowed and instruction_in(text, MemoryKind.DECLARATIVE) is not None,
        approved_by=skill.approver,
    )
