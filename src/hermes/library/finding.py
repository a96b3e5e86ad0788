"""The live library as the prompt of a task sees it. Satisfies ports.SkillFinder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from hermes.library.reader import Reader
from hermes.library.search import SkillSearch
from hermes.ports import Skills
from hermes.records.skill import Skill
from hermes.records.turn import FoundSkill
from hermes.rules.catalogue import catalogue

_RANKED = 40  # about what fits a default budget; each is looked at on disk before it is shown
_COMPARED = 12  # of these it is asked whether two say the same
_LOOKS = 3  # somebody who saves that often gets the next prompt

Rates = Callable[[Sequence[str]], Mapping[str, tuple[int, int]]]
"""Skill ids → how many uses went well, and how many are settled."""


@dataclass(slots=True)
class PromptSkills:
    reader: Reader
    search: SkillSearch
    skills: Skills
    rates: Rates
    budget: int
    _shown: tuple[Skill, ...] = field(default=())

    def find(self, text: str) -> Sequence[FoundSkill]:
        """Best first. A skill that changed on disk is found as it is now."""
        self.reader.look_at_top()
        for _ in range(_LOOKS):
            hits = self.search.search(text, _RANKED)
            if not self.reader.look_at([hit.skill for hit in hits]):
                break
        self._shown = ()  # what is found was looked at just now; what was shown before is past
        leading = [hit.skill.id for hit in hits[:_COMPARED]]
        vectors = {skill_id: vector for skill_id, _, vector in self.skills.embeddings(leading)}
        rates = self.rates([hit.skill.id for hit in hits])
        found = []
        for hit in hits:
            successes, uses = rates.get(hit.skill.id, (0, 0))
            found.append(
                FoundSkill(
                    skill=hit.skill,
                    relevance=min(max(float(hit.score), 0.0), 1.0),
                    successes=successes,
                    uses=uses,
                    vector=vectors.get(hit.skill.id),
                )
            )
        return found

    def catalogue(self, ranked: Sequence[Skill], drafts: Sequence[Skill]) -> str:
        self._shown = tuple(ranked)
        return catalogue(self.search.shelf(), ranked, budget=self.budget, drafts=drafts)

    def generation(self) -> int:
        """What was last shown is looked at first: an edit on disk counts from then on."""
        self.reader.look_at_top()
        self.reader.look_at(self._shown)
        return self.skills.generation()
