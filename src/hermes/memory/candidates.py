"""Which memories of a shelf could answer a query, and all that is known of each but its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import TYPE_CHECKING

from hermes.memory.shelf import GONE, KINDS, NOWHERE, SUPERSEDED, WAITING, Shelf, beside, flat
from hermes.rules.recalling.blending import ceiling, rarities
from hermes.rules.recalling.telling import told
from hermes.rules.recalling.terms import ASKS, Query
from hermes.rules.recalling.weights import Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Scores = NDArray[np.float32]
    Flags = NDArray[np.bool_]
    Numbers = NDArray[np.int64]

BY_WORDS = 100
BY_MEANING = 60
"""Looked at of all scopes together: the answer to a question is among the best of them all."""
_WITH_NEIGHBOURS = 30  # of those near in meaning; an answer may stand beside them


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What a search asks of every shelf."""

    query: Query
    weights: Weights
    kinds: frozenset[str]
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Commonness:
    """How rare the query's terms are in all scopes that the search may see, and in no other."""

    rarities: Mapping[str, float]
    mean_length: float
    ceiling: float
    nearby_ceiling: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """One row for each candidate; `neighbours` are two columns beside and two further.

    A neighbour that there is not has the number 0. `facets` is what speaker, time and the running
    conversation add, `told` the factor of a turn by how much it tells.
    """

    scope: str
    numbers: Numbers
    lexical: Floats
    facets: Floats
    told: Floats
    neighbours: Numbers
    neighbours_lexical: Floats
    created: Floats
    used: Floats
    strengths: Floats
    kinds: NDArray[np.int8]
    superseded: Flags
    waiting: int
    expired: int


def _commonness(shelves: Sequence[Shelf], query: Query) -> _Commonness:
    documents = sum(map(len, shelves))
    having: dict[str, int] = {}
    for shelf in shelves:
        for term, count in shelf.having((*query.words, *query.nearby)).items():
            having[term] = having.get(term, 0) + count
    rare = rarities(documents, having, (*query.words, *query.nearby))
    total = sum(shelf.total_length for shelf in shelves)
    return _Commonness(
        rarities=rare,
        mean_length=max(total / documents if documents else 0.0, 1.0),
        ceiling=ceiling(rare, query.words) or 1.0,
        nearby_ceiling=ceiling(rare, query.nearby) or 1.0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ByWords:
    """What the words say of every slot of a shelf, as it was at a generation.

    `matched` are the slots that have some of its words. `places` are the best of those that may be
    shown and have some of what was asked for, or stand beside one that has; `ranks` are what they
    were chosen by. All are copies: the shelf may go on meanwhile.
    """

    shelf: Shelf
    generation: int
    lexical: Scores
    matched: Numbers
    facets: Scores | None
    places: Numbers
    ranks: Scores


def by_words(shelves: Sequence[Shelf], asking: Asking) -> list[ByWords]:
    """What can be said before the query's meaning is known; all its postings must be loaded."""
    common = _commonness(shelves, asking.query)
    filled = [shelf for shelf in shelves if len(shelf)] or shelves[:1]
    scored = [_scored(shelf, asking, common) for shelf in filled]
    chosen = zip(scored, _best(scored), strict=True)
    return [replace(one, places=places) for one, places in chosen]


def candidates(
    scored: Sequence[ByWords], asking: Asking, near: Mapping[int, float]
) -> list[Candidates]:
    """Those that share words with the query, those near it in meaning, and their neighbours; the
    best of all shelves together, kept apart by shelf."""
    found = []
    for one in scored:
        slots = _with_near(one.shelf, one.places, near, asking)
        found.append(_gathered(one, slots, asking))
    return found


def best_numbers(scored: Sequence[ByWords]) -> list[int]:
    """Those that will be candidates for their words, whatever is near in meaning."""
    import numpy as np

    numbers = [flat(one.shelf.numbers, np.int64)[one.places] for one in scored]
    found: list[int] = np.concatenate(numbers).tolist()
    return found


def _scored(shelf: Shelf, asking: Asking, common: _Commonness) -> ByWords:
    import numpy as np

    lexical = _covered(shelf, asking.query.words, common, common.ceiling)
    facets = _facets(shelf, asking, common, lexical)
    matched = np.flatnonzero(lexical)
    ranks = lexical if facets is None else lexical + facets
    if shelf.has_sessions:
        ranks = _with_neighbours(ranks, lexical, matched, shelf, asking.weights)
    places = _allowed(shelf, matched if ranks is lexical else np.flatnonzero(ranks), asking)
    return ByWords(
        shelf=shelf,
        generation=shelf.generation,
        lexical=lexical,
        matched=matched,
        facets=facets,
        places=places,
        ranks=ranks[places],
    )


def _covered(shelf: Shelf, terms: Sequence[str], common: _Commonness, highest: float) -> Scores:
    """The part of the query's weight that each item has."""
    import numpy as np

    rare = {term: common.rarities[term] for term in terms}
    scores = shelf.lexical(rare, common.mean_length)
    scores /= np.float32(highest)
    return np.minimum(scores, np.float32(1.0), out=scores)


def _facets(shelf: Shelf, asking: Asking, common: _Commonness, lexical: Scores) -> Scores | None:
    """Time counts by itself, a question may be `what happened on 8 May`; whoever speaks says much
    that was not asked for, so a speaker counts only together with words."""
    import numpy as np

    query, weights = asking.query, asking.weights
    if not (query.days or query.people or query.nearby):
        return None
    added = np.zeros(shelf.slots, dtype=np.float32)
    if query.days:
        added += np.float32(weights.time) * shelf.holds(query.days)
    if query.people:
        added += np.float32(weights.speaker) * (shelf.holds(query.people) & (lexical > 0))
    if query.nearby:
        covered = _covered(shelf, query.nearby, common, common.nearby_ceiling)
        added += np.float32(weights.nearby) * np.where(lexical > 0, covered, np.float32(0.0))
    return added


def _with_neighbours(
    ranks: Scores, lexical: Scores, matched: Numbers, shelf: Shelf, weights: Weights
) -> Scores:
    """Each with a share of what stands right before and after it; no slot is before two others."""
    import numpy as np

    share = np.float32(weights.neighbour) * lexical[matched]
    lifted: Scores = np.append(ranks, np.float32(0.0))  # the last is where index -1 leads
    for links in (shelf.before, shelf.after):
        lifted[flat(links, np.int64)[matched]] += share
    return lifted[:-1]


def _allowed(shelf: Shelf, slots: Numbers, asking: Asking) -> Numbers:
    """Those of these slots that may be shown now."""
    import numpy as np

    slots = _of_kinds(shelf, slots, asking.kinds)
    if not shelf.has_limits:
        return slots
    slots = slots[flat(shelf.flags, np.uint8)[slots] & (WAITING | GONE) == 0]
    current: Numbers = slots[flat(shelf.expires, np.float64)[slots] > asking.at]
    return current


def _of_kinds(shelf: Shelf, slots: Numbers, kinds: frozenset[str]) -> Numbers:
    import numpy as np

    if len(kinds) == len(KINDS):
        return slots
    asked = np.array([kind in kinds for kind in KINDS])
    right: Numbers = slots[asked[flat(shelf.kinds, np.int8)[slots]]]
    return right


def _held_back(scored: ByWords, asking: Asking) -> tuple[int, int]:
    """How many that have the words wait for approval, and how many have expired."""
    import numpy as np

    shelf = scored.shelf
    if not shelf.has_limits:
        return 0, 0
    matched = _of_kinds(shelf, scored.matched, asking.kinds)
    matched = matched[flat(shelf.flags, np.uint8)[matched] & GONE == 0]
    waiting = flat(shelf.flags, np.uint8)[matched] & WAITING
    expired = flat(shelf.expires, np.float64)[matched] <= asking.at
    return int(np.count_nonzero(waiting)), int(np.count_nonzero(expired))


def _best(scored: Sequence[ByWords]) -> list[Numbers]:
    """Of each shelf those that are among the best of all shelves."""
    import numpy as np

    counts = [len(one.places) for one in scored]
    if sum(counts) <= BY_WORDS:
        return [one.places for one in scored]
    ranks = np.concatenate([one.ranks for one in scored])
    chosen = np.sort(np.argpartition(-ranks, BY_WORDS)[:BY_WORDS])
    best = []
    for one, end in zip(scored, accumulate(counts), strict=True):
        start = end - len(one.places)
        first, last = np.searchsorted(chosen, (start, end))
        best.append(one.places[chosen[first:last] - start])
    return best


def _with_near(shelf: Shelf, places: Numbers, near: Mapping[int, float], asking: Asking) -> Numbers:
    """The same with those near in meaning, and with what stands beside the nearest of these."""
    import numpy as np

    meant = set(shelf.slots_of(near.keys()))
    if shelf.has_sessions:
        for slot in shelf.slots_of(set(islice(near, _WITH_NEIGHBOURS))):
            meant.update((shelf.before[slot], shelf.after[slot]))
    added = np.array(sorted(meant - {NOWHERE, *places.tolist()}), dtype=np.int64)
    return np.sort(np.concatenate([places, _allowed(shelf, added, asking)]))


def _gathered(scored: ByWords, slots: Numbers, asking: Asking) -> Candidates:
    import numpy as np

    shelf, lexical = scored.shelf, scored.lexical
    numbers, flags = flat(shelf.numbers, np.int64), flat(shelf.flags, np.uint8)
    links = _links(shelf, slots)
    there = links >= 0
    beside_lexical = np.zeros(links.shape)
    beside_lexical[there] = lexical[links[there]]
    facets = np.zeros(len(slots)) if scored.facets is None else scored.facets[slots]
    waiting, expired = _held_back(scored, asking)
    return Candidates(
        scope=shelf.scope,
        numbers=numbers[slots],
        lexical=lexical[slots].astype(np.float64),
        facets=facets.astype(np.float64),
        told=_told(shelf, slots, links, asking.weights),
        neighbours=np.where(there, numbers[links], 0) if len(slots) else links,
        neighbours_lexical=beside_lexical,
        created=flat(shelf.created, np.float64)[slots],
        used=flat(shelf.used, np.float64)[slots],
        strengths=flat(shelf.strengths, np.float32)[slots].astype(np.float64),
        kinds=flat(shelf.kinds, np.int8)[slots],
        superseded=(flags[slots] & SUPERSEDED) != 0,
        waiting=waiting,
        expired=expired,
    )


def _told(shelf: Shelf, slots: Numbers, links: Numbers, weights: Weights) -> Floats:
    """1 for what is no turn: nothing stands beside it."""
    import numpy as np

    factors: Floats = np.ones(len(slots))
    if shelf.has_sessions:
        turns = np.flatnonzero((links[:, :2] >= 0).any(axis=1))
        lengths = flat(shelf.lengths, np.float32)[slots[turns]].astype(np.float64)
        asking = shelf.holds((ASKS,))[slots[turns]]
        factors[turns] = told(lengths, asking, weights.telling)
    return factors


def _links(shelf: Shelf, slots: Numbers) -> Numbers:
    """Slots one before, one after, two before, two after; -1 where there is none."""
    import numpy as np

    if not shelf.has_sessions:
        return np.full((len(slots), 4), NOWHERE)
    before, after = flat(shelf.before, np.int64), flat(shelf.after, np.int64)
    one_before, one_after = before[slots], after[slots]
    columns = (one_before, one_after, beside(before, one_before), beside(after, one_after))
    return np.stack(columns, axis=1)
