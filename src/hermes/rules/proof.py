"""When a version counts as proven.

Every example that could be done again was, by what the other examples teach, and came out as
recorded. One that could not be replayed proves nothing either way; a verdict without a measured
score never proves.
"""

from __future__ import annotations

from collections.abc import Sequence

from hermes.records.verdict import Decision, Verdict

MEASURE = "leave-one-out replay"


def is_proven(verdicts: Sequence[Verdict]) -> bool:
    """By the last verdict on the candidate that brought the version."""
    if not verdicts:
        return False
    last = verdicts[-1]
    measured = last.scores.measure == MEASURE and last.scores.after == 1.0
    return measured and last.decision is Decision.VALIDATED
