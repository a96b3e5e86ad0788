"""How much each sign counts. Fitted on one part of a labelled set, measured on another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """`lexical` is the part of the words in the sum of words and meaning.

    `neighbour` is the share that an episode has of the scores right before and after it in its
    session, `next_neighbour` of those one further. `speaker`, `time` and `nearby` are added to an
    item that is by whom, of when and about what a query also names. `superseded` is taken off what
    another memory has replaced. `telling` is the part of its score that a turn loses which tells
    nothing. `centring` is how far towards the mean of what is near a query cosines are seen from,
    where all of that is much alike; `alone` what words or meaning count by themselves against
    `min_similarity`. `fading_floor` is what age leaves of a score.
    """

    lexical: float = 0.6
    neighbour: float = 0.3
    next_neighbour: float = 0.15
    speaker: float = 0.3
    time: float = 0.5
    nearby: float = 0.05
    telling: float = 0.8
    centring: float = 0.75
    alone: float = 0.85
    superseded: float = 0.3
    fading_floor: float = 0.7


FITTED = Weights()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPolicy:
    """What the settings say about recalling. `reinforces` is off where a search must leave no
    trace: while it is measured, or when somebody only looks."""

    half_life_days: Mapping[str, float] = field(
        default_factory=lambda: {"episodic": 30.0, "semantic": 365.0, "declarative": 365.0}
    )
    min_similarity: float = 0.25
    weights: Weights = FITTED
    fades: bool = True
    reinforces: bool = True
