"""Reader: the live library as everybody but the gate sees it.

Before a skill is shown, its folder is looked at. An unchanged one costs a listing; a changed one
is handed to the gate, which records a person's edit as a version. What is shown always comes from
the store, by hash: the bytes of the live version and no others, even while somebody types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.errors import CorruptData, NotFound
from hermes.library import folders
from hermes.library.index import Index, Seen
from hermes.library.places import Place, discover, folder_marks
from hermes.ports import Skills, Versions
from hermes.records.scope import PERSONAL

if TYPE_CHECKING:  # a look that finds nothing new costs a listing, not the words of the gate
    from hermes.records.proposal import DiskChange, Noticed
    from hermes.records.skill import Skill
    from hermes.records.version import Version

Notice = Callable[["Sequence[DiskChange]"], "Sequence[Noticed]"]
"""The one method of the gate that a reader needs: to say what changed on disk."""
Progress = Callable[[int, int], None]
_CHUNK = 200


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at the whole folder found: how many skills, how many not as known."""

    folders: int
    changed: int
    gone: int


@dataclass(frozen=True, slots=True)
class LiveSkill:
    """A skill with its live version. A `problem` tells why the folder on disk is not that one."""

    skill: Skill
    version: Version
    problem: str | None


class Reader:
    def __init__(
        self,
        root: Path,
        external: Sequence[Path],
        index: Index,
        skills: Skills,
        versions: Versions,
        notice: Notice,
    ) -> None:
        self._root = root
        self._external = tuple(external)
        self._index = index
        self._skills = skills
        self._versions = versions
        self._notice = notice
        self._marks: tuple[tuple[str, int], ...] | None = None
        self._categories: frozenset[str] = frozenset()

    def look(self, *, deep: bool = True, progress: Progress | None = None) -> Look:
        """Compare every folder with what this machine saw last, and have the gate note the rest.

        `deep` looks at every file; otherwise at SKILL.md alone, which is all that a list shows.
        """
        seen = self._index.all()
        places = discover(self._root, self._external)
        if not self._root.is_dir() and any(not Path(place).is_absolute() for place in seen):
            raise CorruptData(
                "the skills folder is gone, though skills were there",
                where=str(self._root),
                hint="mount or restore it; nothing was archived",
            )
        first_start = not seen and self._skills.generation() == 0
        changed = [
            place for place in places.values() if not _same(place, seen.get(place.location), deep)
        ]
        for start in range(0, len(changed), _CHUNK):
            self._note(changed[start : start + _CHUNK], adopted=first_start)
            if progress:
                progress(min(start + _CHUNK, len(changed)), len(changed))
        gone = [known for location, known in seen.items() if location not in places]
        self._note_gone(gone)
        self._categories = frozenset(place.category for place in places.values())
        self._marks = folder_marks(self._root, self._categories)
        return Look(len(places), len(changed), len(gone))

    def look_at_top(self) -> None:
        """The cheap look before a prompt: did a skill folder appear or vanish?"""
        if self._marks is None or self._marks != folder_marks(self._root, self._categories):
            self.look(deep=False)

    def look_at(self, skills: Iterable[Skill]) -> bool:
        """Look at the folders of these skills; whether any was not as known."""
        changed, gone = [], []
        for skill in skills:
            known = self._index.get(skill.location)
            place = self._place(skill)
            if place is None:
                if known is not None:
                    gone.append(known)
            elif not _same(place, known, deep=True):
                changed.append(place)
        if changed:
            self._note(changed, adopted=False)
        self._note_gone(gone)
        return bool(changed or gone)

    def live(self, name: str) -> LiveSkill:
        """A live skill, its folder looked at just now. Raises NotFound."""
        skill = self._skills.named(name, PERSONAL)
        if skill is None:
            self.look(deep=False)  # it may have been put there a moment ago
        elif self.look_at([skill]):
            skill = None
        skill = skill or self._skills.named(name, PERSONAL)
        if skill is None or skill.active_version_id is None:
            raise self._not_found(name, skill)
        version = self._versions.get(skill.active_version_id)
        if version is None:
            raise CorruptData(
                f"version {skill.active_version_id} of skill '{name}' is missing",
                where="versions",
                hint="run `hermes db verify`",
            )
        known = self._index.get(skill.location)
        if known is not None and known.problem is None and known.tree != version.tree:
            # The store moved without the folder: a backup was put back. The folder decides.
            self._index.forget(skill.location)
            return self.live(name)
        return LiveSkill(skill, version, self.problem_of(skill, version))

    def problem_of(self, skill: Skill, version: Version) -> str | None:
        """Why the folder on disk is not the live version; None when it is."""
        known = self._index.get(skill.location)
        if known is None:
            return (
                f"{skill.location}: its folder is not on this machine; "
                f"`hermes skills restore {skill.name}` writes it"
            )
        if known.problem:
            return known.problem
        return None if known.tree == version.tree else f"{known.location}: not looked at yet"

    def problems(self) -> Sequence[Seen]:
        """Every folder that is on disk and not live, with what is wrong."""
        return self._index.problems()

    def rebuild(self, progress: Progress | None = None) -> Look:
        """Forget what was seen and read every folder again."""
        self._index.clear()
        return self.look(progress=progress)

    def _place(self, skill: Skill) -> Place | None:
        path = self._root / skill.location
        try:
            head = folders.head_signature(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return Place(skill.name, skill.category, skill.location, path, head)

    def _note(self, places: Sequence[Place], *, adopted: bool) -> None:
        """Signatures are taken before the gate reads: a change in between shows next time."""
        from hermes.records.proposal import DiskChange

        signatures = {place.location: _signature(place.path) for place in places}
        noticed = self._notice(
            [
                DiskChange(
                    name=place.name,
                    location=place.location,
                    category=place.category,
                    adopted=adopted or Path(place.location).is_absolute(),
                )
                for place in places
            ]
        )
        self._index.put(
            _seen(place, outcome, signatures[place.location])
            for place, outcome in zip(places, noticed, strict=True)
        )

    def _note_gone(self, gone: Sequence[Seen]) -> None:
        if not gone:
            return
        from hermes.records.proposal import DiskChange

        self._notice(
            [DiskChange(name=s.name, location=s.location, category=s.category) for s in gone]
        )
        for known in gone:
            self._index.forget(known.location)

    def _not_found(self, name: str, skill: Skill | None) -> NotFound:
        if skill is not None:
            state = "archived" if skill.state == "archived" else "a draft that is not live yet"
            return NotFound(
                f"skill '{name}' is {state}",
                hint=f"`hermes skills history {name}` tells its story",
            )
        for known in self._index.problems():
            if known.name == name:
                return NotFound(f"skill '{name}' cannot be used: {known.problem}")
        names = [one.name for one in self._skills.all() if one.active_version_id]
        from difflib import get_close_matches

        close = get_close_matches(name, names, n=3)
        hint = "did you mean " + " or ".join(close) + "?" if close else "skills_list shows them"
        return NotFound(f"there is no skill '{name}'", hint=hint)


def _same(place: Place, seen: Seen | None, deep: bool) -> bool:
    if seen is None or seen.head_signature != place.head_signature:
        return False
    return not deep or seen.signature == _signature(place.path)


def _signature(path: Path) -> str:
    """The folder's signature; of one that holds a link, say, a text that equals itself."""
    try:
        return folders.signature(path)
    except CorruptData as error:
        return f"unreadable: {error}"


def _seen(place: Place, noticed: Noticed, signature: str) -> Seen:
    try:
        racy = folders.is_racy(place.path)
    except (CorruptData, OSError):
        racy = False
    return Seen(
        location=place.location,
        name=place.name,
        category=place.category,
        tree=noticed.tree,
        head_signature="" if racy else place.head_signature,
        signature="" if racy else signature,
        problem=noticed.problem,
    )
