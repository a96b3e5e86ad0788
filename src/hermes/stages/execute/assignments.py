"""Which version of which skill a task works with: decided once, the same to its end.

A skill that the task was really given (its text was read, its program was run) is a Use; what the
catalogue merely named is not, for it can neither help nor hurt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from hermes.ids import new_id
from hermes.ports import Releases, Skills, Uses
from hermes.records.turn import Offer
from hermes.records.use import Arm, Use


@dataclass(slots=True)
class Assignments:
    """Of one task at a time. `begin` with the next one forgets the last."""

    uses: Uses
    releases: Releases
    skills: Skills
    now: Callable[[], datetime]
    _task_id: str = ""
    _trajectory_id: str = ""
    _offers: dict[str, Offer] = field(default_factory=dict)
    _given: set[str] = field(default_factory=set)

    def begin(self, task_id: str, trajectory_id: str, offers: Sequence[Offer]) -> None:
        """What the task was given before, by a process that is gone, it keeps."""
        self._task_id, self._trajectory_id = task_id, trajectory_id
        self._offers = {offer.name: offer for offer in offers}
        held = self.uses.of_task(task_id)
        self._given = {use.skill_id for use in held}
        for use in held:
            self._keep(use)

    def offers(self) -> Sequence[Offer]:
        return tuple(self._offers.values())

    def put(self, offer: Offer) -> None:
        """The task works with this version, whatever was recommended."""
        self._offers[offer.name] = offer

    def version_of(self, name: str) -> str | None:
        """The version that this task works with; None where nothing was decided yet."""
        offer = self._offers.get(name)
        return offer.version_id if offer else None

    def give(self, skill_id: str, name: str, version_id: str, why: str = "asked for") -> None:
        """The task was given this skill: from now on it keeps this version, and it counts."""
        if not self._task_id or skill_id in self._given:
            return
        offer = self._offers.get(name)
        if offer is None:
            offer = self._offers[name] = self._offer(skill_id, name, version_id, why)
        if offer.release_id is None or offer.version_id != version_id:
            return  # a draft or an overlay of this session: there is no release to credit
        self._given.add(skill_id)
        self.uses.add(
            Use(
                id=new_id("use"),
                skill_id=skill_id,
                release_id=offer.release_id,
                task_id=self._task_id,
                trajectory_id=self._trajectory_id,
                arm=offer.arm,
                reason=offer.why,
                assigned_at=self.now(),
            )
        )

    def _keep(self, use: Use) -> None:
        release, skill = self.releases.get(use.release_id), self.skills.get(use.skill_id)
        if release is not None and skill is not None:
            self._offers[skill.name] = Offer(
                skill_id=skill.id,
                name=skill.name,
                version_id=release.version_id,
                release_id=release.id,
                arm=use.arm,
                why=use.reason,
            )

    def _offer(self, skill_id: str, name: str, version_id: str, why: str) -> Offer:
        release = self.releases.current(skill_id)
        of_version = release is not None and release.version_id == version_id
        return Offer(
            skill_id=skill_id,
            name=name,
            version_id=version_id,
            release_id=release.id if release and of_version else None,
            arm=Arm.RELEASE,
            why=why,
        )
