"""What may stand behind a slash: our commands, the live skills, and drafts that can be tried."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from hermes.cli.chat.slash import COMMANDS, OWN

if TYPE_CHECKING:
    from hermes.app import Home

_FRESH_S = 1.0  # a popup asks at every key


class Names:
    """Used from several threads: each look replaces the last one as a whole."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._seen: tuple[float, Mapping[str, str]] = (float("-inf"), {})

    def all(self) -> dict[str, str]:
        """Name → what it is for. A skill with the name of a command is not reached by it."""
        ours = {**{name: one.summary for name, one in COMMANDS.items()}, **OWN}
        return {**ours, **{name: text for name, text in self.skills().items() if name not in ours}}

    def skills(self) -> Mapping[str, str]:
        at, seen = self._seen
        if time.monotonic() - at > _FRESH_S:
            seen = self._look()
            self._seen = (time.monotonic(), seen)
        return seen

    def _look(self) -> dict[str, str]:
        ledger = self._home.ledger
        skills = ledger.skills.all()
        waiting = {one.skill_id for one in ledger.candidates.awaiting()}
        drafts = {
            skill.name: f"draft, a trial: {skill.description}"
            for skill in skills
            if skill.id in waiting and skill.active_version_id is None
        }
        live = {skill.name: skill.description for skill in skills if skill.is_shown}
        return dict(sorted({**drafts, **live}.items()))
