"""Real homes in temporary folders, and skills to put into them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes import settings
from hermes.app import Home, manage_tool, open_home, open_store, view_tools
from hermes.ids import now
from hermes.library.filesystem import Files
from hermes.library.manage import Caller
from hermes.records.approval import Approval, Channel
from hermes.records.origin import Origin
from hermes.testing.faults import Point, stepped_database

AGENT = Caller(origin=Origin.ASSISTANT_TOOL, author="agent", session_id="session_1")
ASKED = Caller(
    origin=Origin.ASSISTANT_TOOL, author="agent", session_id="session_2", requested_by_user=True
)


def skill_text(
    name: str, description: str = "Does a thing. Use when testing.", body: str = ""
) -> str:
    """A SKILL.md as a careful author would write it."""
    return f"---\nname: {name}\ndescription: {description}\n---\n# {name}\n\n{body or 'Do it.'}\n"


def person(name: str = "ana", note: str = "") -> Approval:
    return Approval(
        by=name,
        os_user="ana",
        channel=Channel.TERMINAL,
        agent_session_open=False,
        note=note,
        at=now(),
    )


@dataclass(frozen=True)
class Place:
    """Where a test's home is; `open` gives a fresh process's view of it."""

    root: Path
    database_url: str | None = None
    policy: str = "review"

    @property
    def skills(self) -> Path:
        return self.root / "skills"

    def open(
        self,
        *,
        files: Files | None = None,
        point: Point | None = None,
        answered: Point | None = None,
    ) -> Home:
        """`files`, `point` and `answered` are where a test makes disk or database fail."""
        config = self.root / "loop" / "config.yaml"
        if not config.exists():
            config.parent.mkdir(parents=True, exist_ok=True)
            config.write_text(f"promote:\n  policy: {self.policy}\n")
        environ = {"HERMES_HOME": str(self.root), "HOME": str(self.root)}
        if self.database_url:
            environ["MEMORY_DB_URL"] = self.database_url
        loaded = settings.load(environ)
        if point is None:
            return open_home(loaded, files=files)
        return open_home(loaded, stepped_database(open_store(loaded), point, answered), files)


class Desk:
    """The skill tools of one home, with less to type."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._manage = manage_tool(home)
        self._views = view_tools(home)

    def manage(self, action: str, *, caller: Caller = ASKED, **arguments: Any) -> dict[str, Any]:
        return self._manage({"action": action, **arguments}, caller)

    def view(self, name: str, **arguments: Any) -> dict[str, Any]:
        return self._views.skill_view(name, **arguments)

    def names(self) -> list[str]:
        return [skill["name"] for skill in self._views.skills_list()["skills"]]
