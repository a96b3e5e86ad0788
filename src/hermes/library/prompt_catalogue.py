"""What the next prompt says about the library: fresh, relevant, within its budget."""

from __future__ import annotations

from hermes.library.reader import Reader
from hermes.library.search import SkillSearch
from hermes.rules.catalogue import catalogue

_RANKED = 40  # about what fits a default budget; each is looked at on disk before it is shown
_LOOKS = 3  # somebody who saves that often gets the next prompt


class PromptCatalogue:
    def __init__(self, reader: Reader, search: SkillSearch, budget: int) -> None:
        self._reader = reader
        self._search = search
        self._budget = budget

    def for_task(self, task: str) -> str:
        """The catalogue for this task. A skill that changed on disk is shown as it is now."""
        self._reader.look_at_top()
        for _ in range(_LOOKS):
            ranked = [hit.skill for hit in self._search.search(task, _RANKED)]
            if not self._reader.look_at(ranked):
                break
        return catalogue(self._search.shelf(), ranked, budget=self._budget)
