"""Which memories of a shelf could answer a query, and all that is known of each but its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.memory.shelf import GONE, KINDS, SUPERSEDED, WAITING, Shelf, beside, best_slots, flat
from hermes.rules.recalling.blending import ceiling, rarities
from hermes.rules.recalling.terms import Query
from hermes.rules.recalling.weights import Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Numbers = NDArray[np.int64]

BY_WORDS = 100
BY_MEANING = 100
_WITH_NEIGHBOURS = 30  # of those near in meaning; an answer may stand beside them


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What a search asks of every shelf."""

    query: Query
    weights: Weights
    kinds: frozenset[str]
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Commonness:
    """How rare the query's terms are in all scopes that the search may see, and in no other."""

    rarities: Mapping[str, float]
    mean_length: float
    ceiling: float
    nearby_ceiling: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """One row for each candidate; `neighbours` are two columns beside and two further.

    A neighbour that there is not has the number 0. `facets` is what speaker, time and the running
    conversation add.
    """

    scope: str
    numbers: Numbers
    lexical: Floats
    facets: Floats
    neighbours: Numbers
    neighbours_lexical: Floats
    created: Floats
    used: Floats
    strengths: Floats
    kinds: NDArray[np.int8]
    superseded: Flags
    waiting: int
    expired: int


def commonness(shelves: Sequence[Shelf], query: Query) -> Commonness:
    """Every term's postings must be loaded."""
    documents = sum(map(len, shelves))
    having: dict[str, int] = {}
    for shelf in shelves:
        for term, count in shelf.having((*query.words, *query.nearby)).items():
            having[term] = having.get(term, 0) + count
    rare = rarities(documents, having, (*query.words, *query.nearby))
    total = sum(shelf.total_length for shelf in shelves)
    return Commonness(
        rarities=rare,
        mean_length=max(total / documents if documents else 0.0, 1.0),
        ceiling=ceiling(rare, query.words) or 1.0,
        nearby_ceiling=ceiling(rare, query.nearby) or 1.0,
    )


def candidates(
    shelf: Shelf, asking: Asking, common: Commonness, near: Mapping[int, float]
) -> Candidates:
    """Those that share words with the query, those near it in meaning, and their neighbours."""
    import numpy as np

    lexical = _covered(shelf, asking.query.words, common, common.ceiling)
    facets = _facets(shelf, asking, common, lexical)
    before, after = flat(shelf.before, np.int64), flat(shelf.after, np.int64)
    flags = flat(shelf.flags, np.uint8)
    right_kind = _of_kinds(shelf, asking.kinds)
    expired = flat(shelf.expires, np.float64) <= asking.at
    allowed = right_kind & ~expired & (flags & (WAITING | GONE) == 0)
    ranked = (facets + _with_neighbours(lexical, before, after, asking.weights)).astype(np.float32)
    slots = _chosen(shelf, ranked, allowed, near, (before, after))
    links = _links(slots, before, after)
    numbers = flat(shelf.numbers, np.int64)
    there = links >= 0
    matched = right_kind & (lexical > 0) & (flags & GONE == 0)
    return Candidates(
        scope=shelf.scope,
        numbers=numbers[slots],
        lexical=lexical[slots],
        facets=facets[slots],
        neighbours=np.where(there, np.append(numbers, 0)[links], 0),
        neighbours_lexical=np.where(there, np.append(lexical, 0.0)[links], 0.0),
        created=flat(shelf.created, np.float64)[slots],
        used=flat(shelf.used, np.float64)[slots],
        strengths=flat(shelf.strengths, np.float32)[slots].astype(np.float64),
        kinds=flat(shelf.kinds, np.int8)[slots],
        superseded=(flags[slots] & SUPERSEDED) != 0,
        waiting=int(np.count_nonzero(matched & (flags & WAITING != 0))),
        expired=int(np.count_nonzero(matched & expired)),
    )


def _of_kinds(shelf: Shelf, kinds: frozenset[str]) -> Flags:
    import numpy as np

    if len(kinds) == len(KINDS):
        return np.ones(shelf.slots, dtype=np.bool_)
    asked = np.array([kind in kinds for kind in KINDS])
    return asked[flat(shelf.kinds, np.int8)]


def _covered(shelf: Shelf, terms: Sequence[str], common: Commonness, highest: float) -> Floats:
    """The part of the query's weight that each item has."""
    import numpy as np

    rare = {term: common.rarities[term] for term in terms}
    scores = shelf.lexical(rare, common.mean_length).astype(np.float64)
    covered: Floats = np.minimum(scores / highest, 1.0)
    return covered


def _facets(shelf: Shelf, asking: Asking, common: Commonness, lexical: Floats) -> Floats:
    """Time counts by itself, a question may be `what happened on 8 May`; whoever speaks says much
    that was not asked for, so a speaker counts only together with words."""
    import numpy as np

    query, weights = asking.query, asking.weights
    added = np.zeros(shelf.slots)
    if query.days:
        added += weights.time * shelf.holds(query.days)
    if query.people:
        added += weights.speaker * (shelf.holds(query.people) & (lexical > 0))
    if query.nearby:
        covered = _covered(shelf, query.nearby, common, common.nearby_ceiling)
        added += weights.nearby * np.where(lexical > 0, covered, 0.0)
    return added


def _with_neighbours(lexical: Floats, before: Numbers, after: Numbers, weights: Weights) -> Floats:
    import numpy as np

    if not len(lexical) or int(after.max()) < 0:
        return lexical
    padded = np.append(lexical, 0.0)  # the last is what index -1 finds
    lifted: Floats = lexical + weights.neighbour * (padded[before] + padded[after])
    return lifted


def _chosen(
    shelf: Shelf,
    ranked: NDArray[np.float32],
    allowed: Flags,
    near: Mapping[int, float],
    links: tuple[Numbers, Numbers],
) -> Numbers:
    import numpy as np

    chosen = set(best_slots(ranked, allowed, BY_WORDS))
    for place, number in enumerate(near):
        slot = shelf.slot_of(number)
        if slot is None:  # forgotten, or newer than our last look
            continue
        chosen.add(slot)
        if place < _WITH_NEIGHBOURS:
            chosen.update(int(link[slot]) for link in links)
    chosen.discard(-1)
    kept = [slot for slot in chosen if allowed[slot]]
    return np.array(sorted(kept), dtype=np.int64)


def _links(slots: Numbers, before: Numbers, after: Numbers) -> Numbers:
    """Slots one before, one after, two before, two after; -1 where there is none."""
    import numpy as np

    if not len(before):
        return np.zeros((0, 4), dtype=np.int64)
    one_before, one_after = before[slots], after[slots]
    columns = (one_before, one_after, beside(before, one_before), beside(after, one_after))
    return np.stack(columns, axis=1)
