"""Which skill or record a person means: the whole name or id, or as much of it as is unique.

A shortened id is always safe, because ids are looked at, not typed from memory. A shortened skill
name is taken only where nothing is changed by it, and the answer says what it was taken for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from hermes.errors import Ambiguous, NotFound
from hermes.rules.plain_text import is_storable

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.cli.command import Call
    from hermes.ports import Trajectories
    from hermes.records.candidate import Candidate
    from hermes.records.skill import Skill
    from hermes.records.trajectory import Trajectory

_NAMED = 8  # matches that an error names


class Identified(Protocol):
    @property
    def id(self) -> str: ...


R = TypeVar("R", bound=Identified)


def skill(home: Home, name: str) -> Skill:
    """The skill of exactly this name, its folder looked at just now."""
    found = _fresh(home, name)
    if found is None:
        raise _no_skill(home, name)
    return found


def skill_to_read(call: Call, home: Home, name: str) -> Skill:
    """The same, or the only skill whose name begins so."""
    found = _fresh(home, name)
    if found is not None:
        return found
    matches = [one for one in _names(home) if name and one.startswith(name)]
    if len(matches) > 1:
        raise Ambiguous(f"'{name}' fits {len(matches)} skills: {_listed(matches)}")
    if not matches:
        raise _no_skill(home, name)
    call.out.note(f"note: '{name}' is taken for '{matches[0]}'")
    return skill(home, matches[0])


def by_id(
    text: str,
    word: str,
    get: Callable[[str], R | None],
    page: Callable[[str, int], Sequence[R]],
) -> R:
    """The record with this id, or the only one whose id begins so; the word may be left out.

    Ids that begin with a text are those that come right behind it, so one page finds them.
    """
    prefix = _whole(text, word)
    found = get(prefix)
    if found is not None:
        return found
    matches = [one for one in page(prefix, 100) if one.id.startswith(prefix)]
    if len(matches) == 1:
        return matches[0]
    raise _unclear(text, word, [one.id for one in matches])


def candidate(home: Home, text: str) -> Candidate:
    """A candidate by its id; those that wait for review are meant before those that do not."""
    prefix = _whole(text, "candidate")
    waiting = [one for one in home.ledger.candidates.awaiting() if one.id.startswith(prefix)]
    if len(waiting) == 1:
        return waiting[0]
    if waiting:
        raise _unclear(text, "candidate", [f"{one.id} ({one.skill_name})" for one in waiting])
    candidates = home.ledger.candidates
    return by_id(text, "candidate", candidates.get, candidates.page)


def trajectory(trajectories: Trajectories, text: str) -> Trajectory:
    return by_id(text, "trajectory", trajectories.get, trajectories.page)


def _whole(text: str, word: str) -> str:
    _check_text(text)
    name, joined, rest = text.strip().lower().partition("_")
    rest = rest if joined and name == word else text.strip().lower()
    if not rest:
        raise NotFound(f"an id is missing: '{text}' is none", hint=_where(word))
    return f"{word}_{rest}"


def _check_text(text: str) -> None:
    """A shell can hand over bytes that are no text; nothing of ours is called so."""
    if not is_storable(text):
        raise NotFound(f"nothing is called {text!a}", hint="names and ids are plain text")


def _unclear(text: str, word: str, matches: Sequence[str]) -> NotFound | Ambiguous:
    if not matches:
        return NotFound(f"there is no {word} '{text}'", hint=_where(word))
    return Ambiguous(
        f"'{text}' fits {len(matches)} {_plural(word)}: {_listed(matches)}",
        hint="give more of the id",
    )


def _where(word: str) -> str:
    group = "review" if word == "candidate" else _plural(word)
    return f"`hermes {group} list` shows them"


def _plural(word: str) -> str:
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def _fresh(home: Home, name: str) -> Skill | None:
    from hermes.records.scope import PERSONAL

    _check_text(name)
    found = home.ledger.skills.named(name, PERSONAL)
    if found is None:
        home.reader.look(deep=False)  # it may have been put there a moment ago
    elif not home.reader.look_at([found]):
        return found
    return home.ledger.skills.named(name, PERSONAL)


def _names(home: Home) -> list[str]:
    from hermes.records.scope import PERSONAL

    return [line.name for line in home.listing.lines() if line.scope == PERSONAL]


def _no_skill(home: Home, name: str) -> NotFound:
    from difflib import get_close_matches

    for seen in home.reader.problems():
        if seen.name == name:
            return NotFound(f"skill '{name}' cannot be used: {seen.problem}")
    names = _names(home)
    longer = [one for one in names if name and one.startswith(name)]
    close = longer[:3] or get_close_matches(name, names, n=3)
    meant = f"did you mean {' or '.join(close)}?" if close else "`hermes skills list` shows them"
    return NotFound(f"there is no skill '{name}'", hint=meant)


def _listed(matches: Sequence[str]) -> str:
    more = f" and {len(matches) - _NAMED} more" if len(matches) > _NAMED else ""
    return ", ".join(matches[:_NAMED]) + more
