"""Commits what a Settlement says, once the folder on disk is what was intended.

Reads: the skill, its current release. Writes: releases, version states, the skill's row, an
event. Never: touches the disk. Safe to repeat: the intent that carries it is closed in the same
transaction, so it happens once.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from hermes.records.release import ReleaseState
from hermes.records.settlement import Settlement
from hermes.records.skill import HealthStatus, SkillState
from hermes.records.version import Version, VersionState
from hermes.rules.procedures import with_procedure
from hermes.rules.proof import is_proven
from hermes.rules.transitions import check_skill_move, check_version_move
from hermes.stages.promote.ledger import Ledger


def move(ledger: Ledger, version: Version, state: VersionState) -> Version:
    """Move a version by the table, or raise."""
    check_version_move(version.state, state)
    moved = replace(version, state=state)
    ledger.versions.replace(moved)
    return moved


def settle(ledger: Ledger, settlement: Settlement, now: datetime) -> None:
    """Call inside a transaction."""
    _end_current(ledger, settlement, now)
    if settlement.release is not None:
        version = ledger.version(settlement.release.version_id)
        if version.state is VersionState.ROLLED_BACK:  # taken back once, now approved anew
            version = move(ledger, version, VersionState.AWAITING_REVIEW)
        move(ledger, version, VersionState.ACTIVE)
        ledger.releases.add(settlement.release)
    if settlement.change is not None:
        ledger.changes.add(settlement.change)
    _update_skill(ledger, settlement, now)
    ledger.events.append(
        settlement.event,
        actor=settlement.actor,
        subject_id=settlement.subject_id,
        skill_id=settlement.skill_id,
        data=settlement.data,
    )


def _end_current(ledger: Ledger, settlement: Settlement, now: datetime) -> None:
    current = ledger.releases.current(settlement.skill_id)
    if current is None:
        return
    ended = replace(
        current,
        state=ReleaseState.ENDED,
        ended_at=now,
        end_reason=settlement.outgoing_reason,
    )
    ledger.releases.replace(ended)
    move(ledger, ledger.version(current.version_id), settlement.outgoing_state)


def _update_skill(ledger: Ledger, settlement: Settlement, now: datetime) -> None:
    skill = ledger.skill(settlement.skill_id)
    release = settlement.release
    state = SkillState.ARCHIVED if release is None else SkillState.LIVE
    if skill.state is not state:
        check_skill_move(skill.state, state)
    skill = replace(
        skill,
        state=state,
        active_version_id=release.version_id if release else None,
        approver=release.approval.by if release else skill.approver,
        patch_count=skill.patch_count + settlement.is_patch,
        proven=release is not None and _is_proven(ledger, release.version_id),
        updated_at=now,
    )
    if release is not None:  # nothing has been run of what is live now
        skill = replace(skill, health_status=HealthStatus.UNKNOWN, needs_rewrite=False)
    if settlement.head is not None:
        skill = replace(
            skill,
            description=settlement.head.description,
            tags=settlement.head.tags,
            category=settlement.head.category,
            location=settlement.head.location,
        )
        skill = with_procedure(skill, settlement.head.procedure)
    ledger.skills.replace(skill)


def _is_proven(ledger: Ledger, version_id: str) -> bool:
    """What was proven once is proven again when it is brought back: its bytes are the same."""
    candidate = ledger.candidates.of_version(version_id)
    return candidate is not None and is_proven(ledger.verdicts.of_candidate(candidate.id))
