"""What a replay prints against what the recorded steps printed, one output for each step.

A procedure leaves out the steps by which somebody only looked around, so not every recorded output
comes back. What does come back must have been recorded, in that order.
"""

from __future__ import annotations

from collections.abc import Sequence

from hermes.rules.comparing.comparison import SAME, Comparison, different, shown
from hermes.rules.comparing.normaliser import Normaliser
from hermes.rules.comparing.numbers import Tolerance
from hermes.rules.comparing.texts import compare_lines, same_line

_Lines = Sequence[str]


def compare_outputs(
    recorded: Sequence[str], final: int, replayed: str, normaliser: Normaliser
) -> Comparison:
    """Whole outputs come back, and the one at the place `final` is among them.

    For work whose result is what it printed.
    """
    allowed = Tolerance()
    outputs = [normaliser.lines(text) for text in recorded]
    left = normaliser.lines(replayed)
    found: set[int] = set()
    for place, lines in enumerate(outputs):
        if lines and compare_lines(lines, left[: len(lines)], allowed).is_same:
            found.add(place)
            left = _without_empty_start(left[len(lines) :])
    if final in found and not left:
        return SAME
    others = [lines for place, lines in enumerate(outputs) if lines and place not in found]
    return _told(outputs[final] if final not in found else _nearest(others, left), left)


def compare_remarks(recorded: Sequence[str], replayed: str, normaliser: Normaliser) -> Comparison:
    """Each line that comes back was recorded, in that order; others may be left out.

    For work whose result is in files: what it prints besides is told of, and must be true.
    """
    outputs = [normaliser.lines(text) for text in recorded]
    coming = iter([line for lines in outputs for line in lines])
    for line in filter(None, normaliser.lines(replayed)):
        if not any(same_line(before, line, Tolerance()) for before in coming):
            nearest = _nearest([[one] for lines in outputs for one in lines], [line])
            return _told(nearest, [line])
    return SAME


def _without_empty_start(lines: list[str]) -> list[str]:
    start = next((place for place, line in enumerate(lines) if line), len(lines))
    return lines[start:]


def _nearest(outputs: Sequence[_Lines], left: _Lines) -> _Lines:
    """The recorded output that it is most like, so that a person sees what changed."""
    words = {word for line in left for word in line.split()}
    return max(outputs, key=lambda lines: len(words & set(" ".join(lines).split())), default=())


def _told(recorded: _Lines, replayed: _Lines) -> Comparison:
    if not replayed:
        return different(f"recorded printed {shown(recorded[0])}, replayed printed nothing of it")
    if not recorded:
        return different(f"replayed printed {shown(replayed[0])}, which no recorded step did")
    answer = compare_lines(recorded, replayed, Tolerance())
    if answer.is_same:  # it was recorded, but at another place
        return different(f"replayed printed {shown(replayed[0])} out of order")
    return different(f"printed {answer.reason}")
