"""The skills a prompt names: the relevant ones described, all the others counted.

Pure, and inside its budget whatever the size of the library. Every live skill is either shown or
counted, once. What is shown is printed by category and name, not by rank: two tasks that need the
same skills get the same bytes, which a provider's prompt cache rewards.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hermes.records.skill import Skill

GENERAL = "general"
"""What a skill without a category is counted under."""

_OPEN, _CLOSE = "<available_skills>", "</available_skills>"
_EMPTIEST = "<skill><name></name><description></description></skill>\n"
"""No skill takes less than this line."""
_LEADING = 5
_WIDTHS = (
    (1024, 1024),
    (1024, 400),
    (1024, 200),
    (1024, 100),
    (400, 100),
    (200, 100),
    (100, 60),
    (60, 60),
)
"""Characters of a description, of the leading skills and of the others, from wide to narrow. Below
60 it no longer says when to use a skill; such a skill is better counted than shown."""
_CATEGORIES_NAMED = (40, 20, 10, 5, 2, 0)
_FOOTER_SHARE = 5  # at most a fifth of the budget is kept for what is not shown
_LONGEST_NAME = 64
_REMEMBERED = 2_048  # texts as they were printed: the next task is told much of the same
_INVISIBLE = dict.fromkeys(code for code in (*range(32), *range(127, 160)))

CountTokens = Callable[[str], int]


def quarter_of_characters(text: str) -> int:
    """Tokens where no tokenizer is at hand; rounded up, so the parts never add up to less."""
    return -(-len(text) // 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The live library, with what a catalogue would otherwise have to go through all of it for."""

    skills: tuple[Skill, ...]
    pinned: tuple[Skill, ...]
    counts: Mapping[str, int]
    """How many skills each category has."""

    @classmethod
    def of(cls, skills: Iterable[Skill]) -> Shelf:
        every = tuple(skills)
        pinned = tuple(skill for skill in every if skill.pinned)
        return cls(skills=every, pinned=pinned, counts=Counter(map(category_of, every)))


def category_of(skill: Skill) -> str:
    return skill.category or GENERAL


def catalogue(
    shelf: Shelf,
    ranked: Sequence[Skill],
    *,
    budget: int,
    drafts: Sequence[Skill] = (),
    count_tokens: CountTokens = quarter_of_characters,
) -> str:
    """The text for a prompt, of at most `budget` tokens; empty when there is nothing to say.

    `ranked` is what the task needs, best first; `drafts` is what this session wrote itself and
    nobody has approved yet.
    """
    wanted = _by_importance(shelf.pinned, ranked, drafts)
    page = _Page(budget, count_tokens, frozenset(draft.id for draft in drafts))
    if len(shelf.skills) * count_tokens(_EMPTIEST) <= budget:  # more need not be tried
        rest = {skill.id: skill for skill in shelf.skills if skill.id not in wanted}
        if whole := _all_shown(wanted | rest, page):
            return whole
    return _best_shown(wanted, shelf.counts, page)


def _all_shown(skills: Mapping[str, Skill], page: _Page) -> str:
    """Every skill by name, where there is room for that."""
    shown = page.fitting(skills.values(), reserve=0)
    text = _text(shown, skills, footer="") if len(shown) == len(skills) else ""
    return text if page.count_tokens(text) <= page.budget else ""


def _best_shown(wanted: Mapping[str, Skill], counts: Mapping[str, int], page: _Page) -> str:
    """The first of the wanted, and the count of everything else."""
    shown = page.fitting(wanted.values(), reserve=page.footer_reserve(counts))
    while True:
        live = [wanted[key] for key in shown if wanted[key].is_shown]
        hidden = Counter(counts) - Counter(map(category_of, live))
        footer = page.footer(hidden, beside=shown.values())
        text = _text(shown, wanted, footer)
        if (footer or not hidden) and page.count_tokens(text) <= page.budget:
            return text
        if not shown:
            return ""
        # Only a tokenizer whose counts do not add up comes here: show fewer and count again.
        shown = dict(list(shown.items())[: len(shown) * 7 // 8])


def _by_importance(
    pinned: Sequence[Skill], ranked: Sequence[Skill], drafts: Sequence[Skill]
) -> dict[str, Skill]:
    """Who may need the room first: own drafts, what fits the task best, what a person pinned.

    The best few come before the pinned ones, so that pinning everything does not blind a task.
    """
    wanted: dict[str, Skill] = {}
    for skill in (*drafts, *ranked[:_LEADING], *pinned, *ranked[_LEADING:]):
        wanted.setdefault(skill.id, skill)
    return wanted


@dataclass(frozen=True, slots=True)
class _Page:
    """What fits on it."""

    budget: int
    count_tokens: CountTokens
    drafts: frozenset[str]

    def fitting(self, skills: Collection[Skill], reserve: int) -> dict[str, str]:
        """Skill id → its line: all of them, as wide as they fit; else the first, at the narrowest.

        The narrowest is tried first, and every try ends where the room does: the work depends on
        the budget and not on the number of skills.
        """
        room = self.budget - self.count_tokens(f"{_OPEN}\n{_CLOSE}\n") - reserve
        narrow = self._lines(skills, _WIDTHS[-1], room)
        if len(narrow) < len(skills):
            return narrow
        for widths in _WIDTHS[:-1]:
            lines = self._lines(skills, widths, room)
            if len(lines) == len(skills):
                return lines
        return narrow

    def _lines(
        self, skills: Collection[Skill], widths: tuple[int, int], room: int
    ) -> dict[str, str]:
        lines: dict[str, str] = {}
        for place, skill in enumerate(skills):
            line = self._line(skill, widths[place >= _LEADING])
            room -= self.count_tokens(f"{line}\n")
            if room < 0:
                break
            lines[skill.id] = line
        return lines

    def _line(self, skill: Skill, width: int) -> str:
        mark = "draft" if skill.id in self.drafts else "" if skill.proven else "unproven"
        status = f"<status>{mark}</status>" if mark else ""
        name = _escaped(skill.name, _LONGEST_NAME)
        description = _escaped(skill.description, width)
        return f"<skill><name>{name}</name>{status}<description>{description}</description></skill>"

    def footer_reserve(self, counts: Mapping[str, int]) -> int:
        """Room kept for counting the rest, before it is known what the rest will be."""
        if not counts:
            return 0
        least = self.count_tokens(f"{_footer(counts, 0)}\n")
        most = self.count_tokens(f"{_footer(counts, _CATEGORIES_NAMED[0])}\n")
        return max(least, min(most, self.budget // _FOOTER_SHARE))

    def footer(self, hidden: Mapping[str, int], beside: Collection[str]) -> str:
        """As many categories by name as there is room for; empty where not even the sum fits."""
        if not hidden:
            return ""
        room = self.budget - self.count_tokens("\n".join((_OPEN, *beside, _CLOSE, "")))
        for named in _CATEGORIES_NAMED:
            text = _footer(hidden, named)
            if self.count_tokens(f"{text}\n") <= room:
                return text
        return ""


def _footer(hidden: Mapping[str, int], named: int) -> str:
    """How many are not shown, and how to see them; the largest categories by name."""
    largest = sorted(hidden.items(), key=lambda pair: (-pair[1], pair[0]))[:named]
    parts = [f"{_escaped(category, _LONGEST_NAME)} ({count})" for category, count in largest]
    others = len(hidden) - len(largest)
    if others and parts:
        unnamed = sum(hidden.values()) - sum(count for _, count in largest)
        parts.append(f"{unnamed} in {others} other categories")
    listed = f": {', '.join(parts)}" if parts else ""
    return (
        f"<more>{sum(hidden.values())} more skills; call skills_list, with a category, to see "
        f"them{listed}</more>"
    )


def _text(shown: Mapping[str, str], skills: Mapping[str, Skill], footer: str) -> str:
    def place(skill_id: str) -> tuple[str, str, str]:
        skill = skills[skill_id]
        return skill.category, skill.name, skill.id

    lines = [shown[skill_id] for skill_id in sorted(shown, key=place)]
    return "\n".join((_OPEN, *lines, *filter(None, [footer]), _CLOSE)) if lines or footer else ""


@lru_cache(maxsize=_REMEMBERED)
def _escaped(text: str, width: int) -> str:
    """One line, at most so wide before escaping, and unable to close the tag it stands in."""
    plain = " ".join(text[: 4 * width].split())
    if not plain.isprintable():
        plain = plain.translate(_INVISIBLE)
    if len(plain) > width:
        cut = plain[: width - 1]
        space = cut.rfind(" ", width // 2)
        plain = f"{cut[:space] if space > 0 else cut}…"
    return html.escape(plain, quote=False)
