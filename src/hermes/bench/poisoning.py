"""Does an instruction that was planted become a memory? Measured on a labelled set of our own.

Every planted text is offered through each untrusted door and as each kind of memory, to a real
room. It slipped through when a recall could show it, all of its parts, before a person allowed it.
What the rules were written with is counted apart from what they had never seen. The other side are
texts that are meant well: what a user says is kept at once, orders too; what a tool tells should
be, as long as it only tells.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from hermes import settings
from hermes.app import open_home
from hermes.app.memory import MemoryRoom, open_memory
from hermes.records.memory import MemoryKind, Trust
from hermes.records.recall import Remembered

FACTS = (None, MemoryKind.SEMANTIC, MemoryKind.DECLARATIVE)
EPISODES = (MemoryKind.EPISODIC,)
UNTRUSTED = (Trust.TOOL_OUTPUT, Trust.IMPORTED, Trust.DERIVED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """An attack, in one text or in several that are offered one by one."""

    family: str
    held_out: bool
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PoisonScore:
    """How many planted texts of a family slipped through by any door: as a fact, which reads as a
    rule, and as an episode, which tells what somebody said."""

    family: str
    held_out: bool
    planted: int
    as_facts: int
    as_episodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PoisoningReport:
    families: tuple[PoisonScore, ...]
    said: int
    said_held_back: int
    told: int
    told_held_back: int

    def rates(self) -> dict[str, float]:
        tuned = [one for one in self.families if not one.held_out]
        unseen = [one for one in self.families if one.held_out]
        return {
            "planted_and_shown_as_facts": _share(tuned, [one.as_facts for one in tuned]),
            "planted_and_shown_as_episodes": _share(tuned, [one.as_episodes for one in tuned]),
            "unseen_and_shown_as_facts": _share(unseen, [one.as_facts for one in unseen]),
            "unseen_and_shown_as_episodes": _share(unseen, [one.as_episodes for one in unseen]),
            "said_by_the_user_and_held_back": self.said_held_back / max(self.said, 1),
            "told_by_a_tool_and_held_back": self.told_held_back / max(self.told, 1),
        }


def planted_texts() -> tuple[Planted, ...]:
    return tuple(
        Planted(family=one["family"], held_out=one["held_out"], parts=tuple(one["parts"]))
        for one in _data()["planted"]
    )


def benign_texts() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What users say, and what tools and documents tell."""
    said, told = _data()["said_by_the_user"], _data()["told_by_tools"]
    return tuple(one["text"] for one in said), tuple(one["text"] for one in told)


def measure(planted: Iterable[Planted] | None = None) -> PoisoningReport:
    attacks = planted_texts() if planted is None else tuple(planted)
    offered: Counter[tuple[str, bool]] = Counter()
    as_facts: Counter[tuple[str, bool]] = Counter()
    as_episodes: Counter[tuple[str, bool]] = Counter()
    with _room() as room:
        for attack in attacks:
            key = (attack.family, attack.held_out)
            offered[key] += 1
            as_facts[key] += slips_through(room, attack, FACTS)
            as_episodes[key] += slips_through(room, attack, EPISODES)
    said, told = benign_texts()
    with _room() as room:
        said_back = _held_back(room, (*said, *told), Trust.USER)
    with _room() as room:
        told_back = _held_back(room, told, Trust.TOOL_OUTPUT)
    return PoisoningReport(
        families=tuple(
            PoisonScore(
                family=key[0],
                held_out=key[1],
                planted=offered[key],
                as_facts=as_facts[key],
                as_episodes=as_episodes[key],
            )
            for key in sorted(offered, key=lambda one: (one[1], one[0]))
        ),
        said=len(said) + len(told),
        said_held_back=said_back,
        told=len(told),
        told_held_back=told_back,
    )


def slips_through(room: MemoryRoom, attack: Planted, kinds: Sequence[MemoryKind | None]) -> bool:
    """Whether any door lets every part of it in, so that a recall could show the whole."""
    return any(
        all(_is_shown(room, _offer(room, part, kind, trust)) for part in attack.parts)
        for trust, kind in product(UNTRUSTED, kinds)
    )


def _share(families: Sequence[PoisonScore], slipped: Iterable[int]) -> float:
    return sum(slipped) / max(sum(one.planted for one in families), 1)


def _offer(room: MemoryRoom, text: str, kind: MemoryKind | None, trust: Trust) -> Remembered:
    return room.remember.add(text, kind, scope="personal", source="bench", trust=trust)


def _is_shown(room: MemoryRoom, offered: Remembered) -> bool:
    """A text that joined a waiting one waits as well."""
    if offered.merged_into is not None:
        known = room.memories.get(offered.merged_into)
        return known is not None and not known.waiting
    return offered.memory is not None and not offered.memory.waiting


def _held_back(room: MemoryRoom, texts: Sequence[str], trust: Trust) -> int:
    return sum(not _is_shown(room, _offer(room, text, None, trust)) for text in texts)


@contextmanager
def _room() -> Iterator[MemoryRoom]:
    """A home of its own; by words alone, because no vector takes part in this."""
    with tempfile.TemporaryDirectory(prefix="hermes-bench-") as folder:
        loaded = settings.load({"HERMES_HOME": str(Path(folder) / "home")})
        with open_home(loaded) as home:
            room = open_memory(home, semantic=False)
            try:
                yield room
            finally:
                room.close()


@cache
def _data() -> dict[str, list[dict[str, Any]]]:
    text = files("hermes.bench").joinpath("data/poisoning.json").read_text(encoding="utf-8")
    read: dict[str, list[dict[str, Any]]] = json.loads(text)
    return read
