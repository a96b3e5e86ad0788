"""Which paths the agent's file tools may touch: the project, and not all of that.

A path is followed to its end first, so a symlink leads nowhere that its name does not say. What
other programs run or obey later (shell rc files, git hooks, other agents' folders) is never
written; where credentials lie, and our own `loop/`, is not even read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePath

from hermes.errors import Refused, WrongCall
from hermes.records.sandbox import CONCEALED_NAMES, GUARDED_NAMES

# All of `.git`: hooks and configuration hide in more than one place of it (modules, worktrees).
_GUARDED = ((".git",), *(PurePath(name).parts for name in GUARDED_NAMES))
_CONCEALED = tuple(PurePath(name).parts for name in CONCEALED_NAMES)


class Confinement:
    """`hidden` are folders that are neither read nor written, `kept` those that are only read."""

    def __init__(self, root: Path, hidden: Sequence[Path] = (), kept: Sequence[Path] = ()) -> None:
        self.root = Path(os.path.realpath(root))
        self._hidden = tuple(Path(os.path.realpath(path)) for path in hidden)
        self._kept = tuple(Path(os.path.realpath(path)) for path in kept)
        self._obeyed = frozenset(
            os.path.realpath(self.root / name)
            for name in GUARDED_NAMES
            if os.path.islink(self.root / name)
        )
        for folder in (*self._hidden, *self._kept):
            if self.root.is_relative_to(folder):
                raise Refused(
                    f"{self.root} belongs to Hermes itself", hint="start in a project's folder"
                )

    def readable(self, path: str) -> Path:
        """Where the path leads; raises Refused where the agent may not look."""
        real = self._real(path)
        if _has(real.relative_to(self.root).parts, _CONCEALED):
            raise Refused(f"{path} is where credentials lie; it is not read")
        return real

    def writable(self, path: str) -> Path:
        """Where the path leads; raises Refused where the agent may not write."""
        real = self.readable(path)
        if real == self.root:
            raise Refused("the project folder itself is not a file", hint="name a file in it")
        if any(real.is_relative_to(folder) for folder in self._kept):
            raise Refused(
                f"{path} belongs to the live skills", hint="call skill_manage to change a skill"
            )
        if str(real) in self._obeyed or _has(real.relative_to(self.root).parts, _GUARDED):
            raise Refused(
                f"{path} is run or obeyed by other programs; the agent does not write it",
                hint="tell the user what should be in it",
            )
        return real

    def is_hidden(self, real: Path) -> bool:
        """Whether a path that was found by looking around is none of the agent's business."""
        inside = real.relative_to(self.root).parts
        return any(real.is_relative_to(folder) for folder in self._hidden) or _has(
            inside, _CONCEALED
        )

    def name(self, real: Path) -> str:
        """A path as the project calls it."""
        return str(real.relative_to(self.root))

    def _real(self, path: str) -> Path:
        if not path or "\0" in path:
            raise WrongCall("a path has at least one character, and no NUL")
        try:
            real = Path(os.path.realpath(self.root / path))
        except (OSError, ValueError) as error:
            raise WrongCall(f"{path[:100]!r} is no path: {error}") from error
        if not real.is_relative_to(self.root):
            raise Refused(
                f"{path} lies outside the project", hint=f"files are those below {self.root}"
            )
        if any(real.is_relative_to(folder) for folder in self._hidden):
            raise Refused(f"{path} belongs to Hermes itself; no tool reads or writes it")
        return real


def _has(parts: Sequence[str], names: Sequence[tuple[str, ...]]) -> bool:
    """Whether one of the names stands anywhere in a path: a project may hold other projects.

    Case is passed over, as some disks do.
    """
    folded = tuple(part.casefold() for part in parts)
    return any(folded[at : at + len(name)] == name for at in range(len(folded)) for name in names)
