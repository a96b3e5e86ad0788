"""How economical a run was, against other runs of the same pattern.

For each measure the run's figure x is held against the median m of the others: m / (m + x), so
that half is as good as the median, two thirds is half of it, and one outlier among the others
changes nothing. Errors count from one, because the median of good runs is often none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from hermes.records.trajectory import Step, StepType
from hermes.rules.actions.moves import Move

_WEIGHTS = {"steps": 0.4, "errors": 0.2, "seconds": 0.2, "tokens": 0.2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What a run took. None is what its log does not tell, and it is not compared."""

    steps: int
    errors: int
    seconds: float | None = None
    tokens: int | None = None


def figures_of(steps: Sequence[Step], moves: Sequence[Move]) -> Figures:
    """Thoughts and messages are not counted: agents differ in how many they write down."""
    tokens = [step.metadata.get("tokens") for step in steps]
    known = [one for one in tokens if isinstance(one, int) and not isinstance(one, bool)]
    acted = [step.timestamp for step in steps if step.type is not StepType.MESSAGE]
    seconds = max(acted) - min(acted) if acted else 0.0
    return Figures(
        steps=len(moves),
        errors=sum(move.failed is True for move in moves),
        seconds=seconds or None,
        tokens=sum(known) if known else None,
    )


def efficiency(run: Figures, others: Sequence[Figures]) -> float | None:
    """From 0 to 1, a half being the median; None when there is nothing to compare with."""
    if not others:
        return None
    weighed = total = 0.0
    for name, weight in _WEIGHTS.items():
        figure = getattr(run, name)
        known = [value for one in others if (value := getattr(one, name)) is not None]
        if figure is None or not known:
            continue
        total += weight
        weighed += weight * _share(figure, median(known), offset=1.0 if name == "errors" else 0.0)
    return round(weighed / total, 4)


def _share(figure: float, middle: float, *, offset: float) -> float:
    figure, middle = figure + offset, middle + offset
    return middle / (middle + figure) if figure + middle > 0 else 0.5
