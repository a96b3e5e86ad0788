"""The skills folder, and how a folder in it is read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # a command that only lists must not pay for every word there is
    from hermes.records.folder import Folder
    from hermes.records.intent import Intent
    from hermes.records.reading import Reading


class Library(Protocol):
    """The skills folder. Only the gate is given this port; everybody else reads."""

    def lock(self, *names: str) -> AbstractContextManager[None]:
        """One writer per skill on this machine; freed by the system when its holder dies."""
        ...

    def tree(self, location: str) -> str | None:
        """The hash of the folder as it is now; None where there is no folder."""
        ...

    def load(self, location: str) -> Folder | None: ...
    def exchange(self, intent: Intent, folder: Folder | None) -> None:
        """Put the folder (None: nothing) where the old tree is, in one visible step.

        Raises Conflict when something else than the old tree is there. After any error, call
        `withdraw`; after the end is committed, call `finish`.
        """
        ...

    def withdraw(self, intent: Intent) -> None:
        """Make the disk what it was before `exchange`, however far that came."""
        ...

    def finish(self, intent: Intent) -> str | None:
        """Let go of what was replaced; says where it put what only a person can have written."""
        ...

    def settle_crash(self, intent: Intent) -> bool:
        """Look at what a dead process left; True when the intended tree is live."""
        ...

    def sweep(self, pending: Callable[[], Collection[str]]) -> None:
        """Remove what is left of intents whose ids are not pending; asks after it has looked."""
        ...

    def check_writable(self, location: str) -> None:
        """Raises Refused where the folder is somebody else's to write."""
        ...

    def forget(self, location: str) -> None:
        """Drop what the index remembers of a folder, so that the next read looks at the disk."""
        ...


class SkillFormat(Protocol):
    """Reads what a skill's folder says of itself, and what is wrong with it."""

    def read(self, folder: Folder, *, name: str, strict: bool) -> Reading: ...


class SkillWriter(Protocol):
    """Writes the one file that every skill has, in the form that every client reads."""

    def write(
        self,
        *,
        name: str,
        description: str,
        body: str,
        compatibility: str = "",
        metadata: Mapping[str, str] | None = None,
    ) -> bytes:
        """Raises InvalidSkill for what the format does not allow."""
        ...
