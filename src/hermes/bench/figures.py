"""Figure: one measured number beside what it should be and what a peer's was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """`limit` is the most it may be, `least` the least; `peer` is the peer's, where known."""

    what: str
    value: float
    unit: str
    limit: float | None = None
    least: float | None = None
    peer: float | None = None

    @property
    def met(self) -> bool | None:
        if self.limit is None and self.least is None:
            return None
        return (self.limit is None or self.value <= self.limit) and (
            self.least is None or self.value >= self.least
        )

    @property
    def ratio(self) -> float | None:
        """How many times the peer's figure is ours."""
        return None if self.peer is None or self.value <= 0 else self.peer / self.value


@cache
def _peers() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "peers.json").read_text())
    return loaded


def peer(name: str, size: int | None = None) -> float | None:
    """The peer's figure of this name, at this number of skills."""
    figure = _peers()["figures"].get(name)
    if isinstance(figure, dict):
        figure = figure.get(str(size))
    return None if figure is None else float(figure)


def peer_note() -> str:
    return f"peer: {_peers()['name']}, {_peers()['source']}"


def as_rows(figures: Sequence[Figure]) -> list[list[str]]:
    """For a table: what, measured, limit, met, peer, ratio."""
    return [
        [
            figure.what,
            _shown(figure.value, figure.unit),
            _bound(figure),
            {True: "yes", False: "NO", None: ""}[figure.met],
            "" if figure.peer is None else _shown(figure.peer, figure.unit),
            "" if figure.ratio is None else f"{figure.ratio:,.1f}×",
        ]
        for figure in figures
    ]


def as_json(figures: Sequence[Figure]) -> list[dict[str, Any]]:
    return [{**asdict(figure), "met": figure.met, "ratio": figure.ratio} for figure in figures]


def _bound(figure: Figure) -> str:
    bounds = (("≤", figure.limit), ("≥", figure.least))
    return " ".join(
        f"{sign} {_shown(value, figure.unit)}" for sign, value in bounds if value is not None
    )


def _shown(value: float, unit: str) -> str:
    digits = 0 if unit in ("tokens", "skills") or value >= 1000 else 2 if value < 100 else 1
    return f"{value:,.{digits}f} {unit}".rstrip()
