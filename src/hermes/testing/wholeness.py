"""Is a home whole? What must be true of folder and store together, whatever happened before."""

from __future__ import annotations

import os
from pathlib import Path

from hermes.app import Home
from hermes.ids import content_hash, tree_hash
from hermes.records.skill import Skill
from hermes.store.verify import verify


def faults_of(home: Home) -> list[str]:
    """Everything that is wrong; looks at the disk by itself, not through the library."""
    faults = [f"{p.table} {p.id}: {p.what}" for p in verify(home.database) if not p.is_note]
    journal = home.ledger.journal.pending(home.loop.desk.home)
    faults += [f"intent {intent.id} for {intent.location} is left" for intent in journal]
    faults += [f"{path} is left" for path in _leftovers(home)]
    for skill in home.ledger.skills.all():
        faults += _faults_of_skill(home, skill)
    known = {skill.location for skill in home.ledger.skills.all() if skill.active_version_id}
    faults += [f"{one} is on disk and not live" for one in sorted(_on_disk(home) - known)]
    return faults


def tree_on_disk(folder: Path) -> str | None:
    """The hash of a folder as any program sees it; None where there is none."""
    if not folder.is_dir():
        return None
    files = [path for path in folder.rglob("*") if not path.is_dir()]
    return tree_hash(
        (
            path.relative_to(folder).as_posix(),
            content_hash(path.read_bytes()),
            bool(path.stat().st_mode & 0o100),
        )
        for path in files
    )


def _faults_of_skill(home: Home, skill: Skill) -> list[str]:
    ledger, faults = home.ledger, []
    on_disk = tree_on_disk(home.settings.paths.skills_dir / skill.location)
    active = ledger.active(skill)
    release = ledger.releases.current(skill.id)
    if on_disk != (active.tree if active else None):
        faults.append(f"{skill.name} on disk is not its live version")
    if (release.version_id if release else None) != skill.active_version_id:
        faults.append(f"{skill.name} is live without a release, or released without being live")
    if active is not None:
        candidate = ledger.candidates.of_version(active.id)
        if candidate is None or not ledger.verdicts.of_candidate(candidate.id):
            faults.append(f"{skill.name} is live without provenance or verdict")
        if not skill.approver:
            faults.append(f"{skill.name} is live and nobody approved it")
        ledger.versions.folder(active)  # raises where its bytes are gone
    return faults


def _on_disk(home: Home) -> set[str]:
    root = home.settings.paths.skills_dir
    return {path.parent.relative_to(root).as_posix() for path in root.rglob("SKILL.md")}


def _leftovers(home: Home) -> list[Path]:
    """Slots, trash and half-written files: whatever is neither a skill nor a file we name."""
    paths = home.settings.paths
    places = (paths.data_dir / "slots", paths.skills_dir / ".hermes-loop")
    return [place / name for place in places if place.is_dir() for name in os.listdir(place)]
