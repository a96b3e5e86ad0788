"""Which files a run was given: what it read before anything of it wrote there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hermes.records.artefact import Artefact, ArtefactRole
from hermes.records.trajectory import Step


def given_files(
    steps: Sequence[Step], handed_over: Sequence[Artefact] = ()
) -> tuple[Artefact, ...]:
    """In the order in which they came into it; what a person handed over comes first."""
    given = {one.name: replace(one, role=ArtefactRole.GIVEN) for one in handed_over}
    written: set[str] = set()
    for step in steps:
        for artefact in step.artefacts:
            if artefact.role is ArtefactRole.WRITTEN:
                written.add(artefact.name)
            elif artefact.name not in written and artefact.name not in given:
                given[artefact.name] = replace(artefact, role=ArtefactRole.GIVEN)
    return tuple(given.values())
