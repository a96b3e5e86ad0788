"""Reader: the live library as everybody but the gate sees it.

Before a skill is shown, its folder is looked at. An unchanged one costs a listing; a changed one
is handed to the gate, which records a person's edit as a version. What is shown always comes from
the store, by hash: the bytes of the live version and no others, even while somebody types.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.errors import CorruptData, NotFound
from hermes.library import folders
from hermes.library.adoption import Adoption
from hermes.library.index import Index, Seen
from hermes.library.listings import Listings
from hermes.library.places import Place, Places, check_root, discover, place_at
from hermes.rules.plain_text import is_storable

if TYPE_CHECKING:  # a look that finds nothing new costs a listing, not the words of the gate
    from hermes.ports import Skills, Versions
    from hermes.records.proposal import DiskChange, Noticed
    from hermes.records.skill import Skill
    from hermes.records.version import Version

Notice = Callable[["Sequence[DiskChange]"], "Sequence[Noticed]"]
"""The one method of the gate that a reader needs: to say what changed on disk."""
Progress = Callable[[int, int], None]
_CHUNK = 200
_SHOWN = 100  # characters of an unknown name in a message


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
        adoption: Adoption,
    ) -> None:
        self._root = root
        self._external = tuple(folder.expanduser().absolute() for folder in external)
        self._index = index
        self._skills = skills
        self._versions = versions
        self._notice = notice
        self._adoption = adoption
        self._listings = Listings()
        self._last: Places | None = None

    def look(self, *, deep: bool = True, progress: Progress | None = None) -> Look:
        """Compare every folder with what this machine saw last, and have the gate note the rest.

        `deep` looks at every file; otherwise at SKILL.md alone, which is all that a list shows.
        """
        check_root(self._root, self._index)
        seen = self._index.all()
        places = discover(self._root, self._external)
        first = self._adoption.goes_on()
        gone = [known for location, known in seen.items() if location not in places.found]
        unsettled = {known.name for known in gone} | _unsettled_names(places, seen)
        changed = [
            place
            for place in places.found.values()
            if place.name in unsettled or not self._same(place, seen.get(place.location), deep=deep)
        ]
        for start in range(0, len(changed), _CHUNK):
            self._note(changed[start : start + _CHUNK], first=first)
            if progress:
                progress(min(start + _CHUNK, len(changed)), len(changed))
        self._note_gone(gone)
        self._last = places
        if first:
            self._adoption.end()
        return Look(len(places.found), len(changed), len(gone))

    def look_at_top(self) -> None:
        """The cheap look before a prompt: did a skill folder appear or vanish?"""
        if self._last is None or not self._last.unchanged():
            self.look(deep=False)

    def look_at(self, skills: Iterable[Skill]) -> bool:
        """Look at the folders of these skills; whether any was not as known."""
        looked = list(skills)
        if not looked:
            return False
        seen = self._index.some(skill.location for skill in looked)
        root, changed, missing = str(self._root), [], False
        for skill in looked:
            known = seen.get(skill.location)
            folder = os.path.join(root, skill.location)
            if known is not None and known.signature == self._signature(folder):
                continue
            place = place_at(folder, skill.name, skill.category, skill.location)
            if place is not None:
                changed.append(place)
            elif known is not None and known.problem is None:
                missing = True
        if changed:
            self._note(changed, first=False)
        if missing:  # it may have been moved: only a look everywhere tells
            self.look(deep=False)
        return missing or bool(changed)

    def live_version_id(self, name: str) -> str | None:
        """None where no version of it is live."""
        try:
            return self.live(name).version.id
        except NotFound:
            return None

    def live(self, name: str) -> LiveSkill:
        """A live skill, its folder looked at just now. Raises NotFound."""
        from hermes.records.scope import PERSONAL

        if not is_storable(name):
            raise NotFound("there is no skill of that name", hint="send a name that is plain text")
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
        # By the same look: somebody else may have made another version live since.
        return LiveSkill(skill, version, _problem(known, skill, version))

    def problems(self) -> Sequence[Seen]:
        """Every folder that is on disk and not live, with what is wrong."""
        return self._index.problems()

    def rebuild(self, progress: Progress | None = None) -> Look:
        """Forget what was seen and read every folder again."""
        self._index.clear()
        return self.look(progress=progress)

    def _same(self, place: Place, seen: Seen | None, *, deep: bool) -> bool:
        """A folder that could not be used is looked at whole: its fault may lie in any file."""
        if seen is None or seen.head_signature != place.head_signature:
            return False
        return (not deep and seen.problem is None) or seen.signature == self._signature(
            place.folder
        )

    def _signature(self, folder: str) -> str:
        """The folder's signature; of one that holds a link, say, a text that equals itself."""
        try:
            return self._listings.signature(folder)
        except CorruptData as error:
            return f"unreadable: {error}"

    def _note(self, places: Sequence[Place], *, first: bool) -> None:
        """Signatures are taken before the gate reads: a change in between shows next time."""
        from hermes.records.proposal import DiskChange

        signatures = [_settled_signature(place.folder) for place in places]
        noticed = self._notice(
            [
                DiskChange(
                    name=place.name,
                    location=place.location,
                    category=place.category,
                    adopted=Path(place.location).is_absolute()
                    or (first and self._adoption.includes(place.path)),
                )
                for place in places
            ]
        )
        self._index.put(map(_seen, places, noticed, signatures))

    def _note_gone(self, gone: Sequence[Seen]) -> None:
        """Only the gate decides what is gone: it asks for each folder by its own path."""
        asked = []
        for known in gone:
            base = self._unmounted(known.location)
            if base is None:
                asked.append(known)
            elif known.tree is not None:
                problem = f"{known.location}: cannot be looked at, because {base} is not there"
                self._index.put([_unseen(known, None, problem)])
        if not asked:
            return
        from hermes.records.proposal import DiskChange

        noticed = self._notice(
            [
                DiskChange(
                    name=known.name,
                    location=known.location,
                    category=known.category,
                    withdrawn=self._is_withdrawn(known.location),
                )
                for known in asked
            ]
        )
        for known, outcome in zip(asked, noticed, strict=True):
            if outcome.tree or outcome.problem:
                self._index.put([_unseen(known, outcome.tree, outcome.problem)])
            else:
                self._index.forget(known.location)

    def _unmounted(self, location: str) -> Path | None:
        """The external folder a location lies in, where that is not there at all."""
        for base in self._external:
            if Path(location).is_relative_to(base) and not folders.is_folder(base):
                return base
        return None

    def _is_withdrawn(self, location: str) -> bool:
        """Whether it lies in an external folder that the settings no longer name."""
        path = Path(location)
        return path.is_absolute() and not any(path.is_relative_to(base) for base in self._external)

    def _not_found(self, name: str, skill: Skill | None) -> NotFound:
        for known in self._index.problems():
            if known.name == name:
                return NotFound(f"skill '{name}' cannot be used: {known.problem}")
        if skill is not None:
            state = "archived" if skill.state == "archived" else "a draft that is not live yet"
            return NotFound(
                f"skill '{name}' is {state}",
                hint=f"`hermes skills history {name}` tells its story",
            )
        names = [one.name for one in self._skills.all() if one.active_version_id]
        from difflib import get_close_matches

        shown = name[:_SHOWN]
        close = get_close_matches(shown, names, n=3)
        hint = "did you mean " + " or ".join(close) + "?" if close else "skills_list shows them"
        return NotFound(f"there is no skill '{shown}'", hint=hint)


def _unsettled_names(places: Places, seen: Mapping[str, Seen]) -> set[str]:
    """Names that more than one folder bears, of which not exactly one is live."""
    count = Counter(place.name for place in places.found.values())
    if len(count) == len(places.found):
        return set()
    live = Counter(
        place.name
        for place in places.found.values()
        if (known := seen.get(place.location)) is not None and known.problem is None
    )
    return {name for name, number in count.items() if number > 1 and live[name] != 1}


def _settled_signature(folder: str) -> str:
    try:
        return folders.settled_signature(folder)
    except CorruptData as error:
        return f"unreadable: {error}"


def _seen(place: Place, noticed: Noticed, signature: str) -> Seen:
    return Seen(
        location=place.location,
        name=place.name,
        category=place.category,
        tree=noticed.tree,
        head_signature=place.head_signature if signature else "",
        signature=signature,
        problem=noticed.problem,
    )


def _unseen(known: Seen, tree: str | None, problem: str | None) -> Seen:
    """A folder that was not found and is not gone: looked at again every time."""
    return replace(known, tree=tree, head_signature="", signature="", problem=problem)


def _problem(known: Seen | None, skill: Skill, version: Version) -> str | None:
    if known is None:
        return (
            f"{skill.location}: its folder is not on this machine; "
            f"`hermes skills restore {skill.name}` writes it, "
            f"`hermes skills archive {skill.name}` puts the skill away"
        )
    if known.problem:
        return known.problem
    return None if known.tree == version.tree else f"{known.location}: not looked at yet"
