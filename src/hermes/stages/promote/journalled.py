"""Ties a folder on disk to the store: intent committed, folder swapped, end committed.

Reads: the intent, the folder. Writes: the folder (through the Library port), then what the
intent's Settlement says. Never: overwrites what it did not expect to find.
Safe to repeat: an intent is carried out or given up, and closed in the same transaction.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from hermes.errors import AgentError, Conflict, CorruptData, HermesError
from hermes.ids import canonical_json, new_id
from hermes.ports import Clock, Library
from hermes.records.codec import dump, load
from hermes.records.intent import Intent
from hermes.records.settlement import Settlement
from hermes.records.skill import Skill
from hermes.records.version import Version, VersionState
from hermes.stages.promote.ledger import Ledger
from hermes.stages.promote.settle import move, settle


@dataclass(frozen=True, slots=True)
class Desk:
    """Where a promotion works: the books, the shelf, whose home it is, and what time it is."""

    ledger: Ledger
    library: Library
    home: str
    clock: Clock

    def now(self) -> datetime:
        return self.clock.now()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One swap. `first` is written together with the intent; `version` None removes the folder."""

    skill: Skill
    location: str
    old_tree: str | None
    version: Version | None
    settlement: Settlement
    first: Callable[[], None] = lambda: None


def carry_out(desk: Desk, plan: Plan) -> None:
    """Call with the skill's lock held. After it returns, the change survives anything."""
    ledger, version = desk.ledger, plan.version
    intent = Intent(
        id=new_id("intent"),
        home=desk.home,
        skill_id=plan.skill.id,
        location=plan.location,
        old_tree=plan.old_tree,
        new_tree=version.tree if version else None,
        new_version_id=version.id if version else None,
        work=canonical_json(dump(plan.settlement)),
        created_at=desk.now(),
    )
    with ledger.transactions.transaction():
        plan.first()
        ledger.journal.open(intent)
    try:
        folder = ledger.versions.folder(version) if version else None
        desk.library.exchange(intent, folder)
        _commit(desk, intent, plan.settlement)
    except HermesError as error:
        _take_back(desk, intent, error)
        raise
    _finish(desk, intent)


def recover(desk: Desk, intent: Intent) -> None:
    """Finish or give up what a dead process began. Call with the skill's lock held."""
    if not desk.library.settle_crash(intent):
        _give_up(desk, intent)
        return
    try:
        _commit(desk, intent, _settlement(intent))
    except AgentError as error:
        # It can never be committed, so the folder goes back: nobody shall be locked out for ever.
        _give_up(desk, intent, error)
    else:
        _finish(desk, intent)


def _settlement(intent: Intent) -> Settlement:
    try:
        return load(Settlement, json.loads(intent.work))
    except ValueError as error:
        raise CorruptData(
            f"what intent {intent.id} wants cannot be read: {error}",
            where=f"journal, {intent.location}",
            hint="`hermes db verify` tells more; restore a backup",
        ) from error


def _commit(desk: Desk, intent: Intent, settlement: Settlement) -> None:
    """Closed first: a dead process's last commit may reach a database server after its death."""
    with desk.ledger.transactions.transaction():
        if desk.ledger.journal.close(intent.id):
            settle(desk.ledger, settlement, desk.now())


def _finish(desk: Desk, intent: Intent) -> None:
    rescued = desk.library.finish(intent)
    if rescued is not None:
        with desk.ledger.transactions.transaction():
            desk.ledger.events.append(
                "folder.rescued",
                actor="gate",
                subject_id=intent.skill_id,
                skill_id=intent.skill_id,
                data={"why": "somebody wrote into it while it was replaced", "path": rescued},
            )


def _take_back(desk: Desk, intent: Intent, error: HermesError) -> None:
    """The caller is told that nothing happened, and so it is.

    When even this fails, the journal keeps the intent, and whoever holds the skill next decides.
    """
    try:
        _give_up(desk, intent, error)
    except HermesError as second:
        error.add_note(f"and while that was taken back: {second}")


def _give_up(desk: Desk, intent: Intent, error: HermesError | None = None) -> None:
    """The folder is as it was. A version that was on its way keeps its content.

    After a conflict its author will send another one, so it is rejected; after a crash or a full
    disk nobody may come back for it, so it waits for a person. An intent that is closed already
    was carried out, and only the answer was lost: then the folder stays as intended.
    """
    ledger = desk.ledger
    with ledger.transactions.transaction():
        if not ledger.journal.close(intent.id):
            return
        if error is not None:
            desk.library.withdraw(intent)
        version = ledger.version(intent.new_version_id) if intent.new_version_id else None
        if version and version.state is VersionState.VALIDATED:
            lost = isinstance(error, Conflict)
            move(ledger, version, VersionState.REJECTED if lost else VersionState.AWAITING_REVIEW)
        ledger.events.append(
            "release.interrupted",
            actor="gate",
            subject_id=intent.new_version_id or intent.skill_id,
            skill_id=intent.skill_id,
            data={"why": error.message if error else "the process ended in mid-write"},
        )
