"""Which names are taken, and by what a new one could be mistaken for."""

from __future__ import annotations

import threading

from hermes.ports import Skills
from hermes.rules.names import skeleton


class NamesInUse:
    """Follows the library's generation: what another process added is known at the next question.

    Archived names count too, so that knowledge that was put away is not made again beside itself.
    """

    def __init__(self, skills: Skills) -> None:
        self._skills = skills
        self._lock = threading.Lock()
        self._generation = -1
        self._names: dict[str, str] = {}
        self._by_skeleton: dict[str, set[str]] = {}

    def look_alike(self, name: str) -> str | None:
        """Another name that a reader would take for this one; None when there is none."""
        with self._lock:
            self._follow()
            others = self._by_skeleton.get(skeleton(name), set()) - {name}
        return min(others, default=None)

    def _follow(self) -> None:
        generation = self._skills.generation()
        if generation == self._generation:
            return
        for skill in self._skills.since(self._generation):
            old = self._names.get(skill.id)
            if old == skill.name:
                continue
            if old is not None:
                self._by_skeleton[skeleton(old)].discard(old)
            self._names[skill.id] = skill.name
            self._by_skeleton.setdefault(skeleton(skill.name), set()).add(skill.name)
        self._generation = generation
