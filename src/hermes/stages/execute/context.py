"""What enters the prompt of a task: the skills that fit it and the memories that belong to it.

The skills are chosen once, by relevance and by what is known of their success, and stay for the
whole task. The catalogue is made anew only when the library has changed, by whatever process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hermes.ports import Releases
from hermes.ports.execution import Recaller, SkillFinder
from hermes.records.codec import Json
from hermes.records.recall import Hit, Recalled
from hermes.records.skill import Skill
from hermes.records.turn import Offer
from hermes.records.use import Arm
from hermes.rules.choosing_skills import Choice, choose

OwnDrafts = Callable[[], Sequence[Skill]]


@dataclass(slots=True)
class Context:
    """Of one task. `finder` is None in a session without skills."""

    text: str
    offers: tuple[Offer, ...]
    left_out: tuple[str, ...]
    recalled: Recalled
    finder: SkillFinder | None
    own_drafts: OwnDrafts
    _ranked: tuple[Skill, ...] = ()
    _shown: tuple[int, tuple[str, ...]] | None = None
    _catalogue: str = field(default="")

    def catalogue(self) -> str:
        """The skills as they are now. One look at a number where nothing has changed."""
        if self.finder is None:
            return ""
        drafts = self.own_drafts()
        now = self.finder.generation(), tuple(draft.id for draft in drafts)
        if now != self._shown:
            if self._shown is not None:
                self._ranked = _worth_showing(choose(self.finder.find(self.text)))
            self._catalogue = self.finder.catalogue(self._ranked, drafts)
            self._shown = now  # what changed while this was made is seen by the next look
        return self._catalogue

    def told(self) -> dict[str, Json]:
        """What the record keeps of it: what was offered and recalled, and why."""
        return {
            "offered": [
                {"skill": one.name, "version": one.version_id, "why": one.why}
                for one in self.offers
            ],
            "left_out": list(self.left_out),
            "recalled": [_told(hit) for hit in self.recalled.items],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Contexts:
    """Without a finder there is no catalogue; without a recaller nothing is remembered.

    `own_drafts` are the skills that this session wrote and nobody has approved yet: its own prompt
    shows them, marked, and no other does.
    """

    finder: SkillFinder | None
    recaller: Recaller | None
    releases: Releases
    own_drafts: OwnDrafts

    def expect(self, text: str) -> None:
        """A task with these words comes next: its text is embedded while others write."""
        if self.recaller is not None:
            self.recaller.expect(text)

    def for_task(self, text: str) -> Context:
        # Memories first: they are looked for by words while the text is embedded, for both.
        recalled = self.recaller.recall(text) if self.recaller else Recalled()
        choices = choose(self.finder.find(text) if self.finder else ())
        return Context(
            text=text,
            offers=tuple(self._offers(choices)),
            left_out=tuple(f"{one.found.skill.name}: {one.why}" for one in choices if one.repeats),
            recalled=recalled,
            finder=self.finder,
            own_drafts=self.own_drafts,
            _ranked=_worth_showing(choices),
        )

    def _offers(self, choices: Sequence[Choice]) -> list[Offer]:
        offers = []
        for choice in choices:
            skill = choice.found.skill
            if not choice.recommended or skill.active_version_id is None:
                continue
            release = self.releases.current(skill.id)
            offers.append(
                Offer(
                    skill_id=skill.id,
                    name=skill.name,
                    version_id=skill.active_version_id,
                    release_id=release.id if release else None,
                    arm=Arm.RELEASE,
                    why=choice.why,
                )
            )
        return offers


def _worth_showing(choices: Sequence[Choice]) -> tuple[Skill, ...]:
    return tuple(one.found.skill for one in choices if not one.repeats)


def _told(hit: Hit) -> dict[str, Json]:
    return {"memory": hit.memory.id, "why": str(hit.why)}
