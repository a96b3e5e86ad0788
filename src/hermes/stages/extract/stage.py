"""Turns observed runs into examples, patterns and drafts.

Reads: trajectories and their observations, earlier examples, patterns and drafts. Writes: examples
and patterns. Never: writes the library (a draft is a proposal, and the gate judges it); learns from
what failed, was interrupted or is unknown. Safe to repeat: the same runs give the same examples,
and a pattern that teaches nothing new gives no draft.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hermes.ports import Trajectories
from hermes.records.example import Example
from hermes.records.observation import Observation
from hermes.records.pattern import Pattern
from hermes.rules.keeping import Wants, messages_in, why_not_kept
from hermes.stages.extract.drafting import Drafter
from hermes.stages.extract.extraction import Extraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """`capture` makes an example of a run and keeps it; `arrange` puts examples into patterns and
    gives those that changed; `others` are the requests that a pattern must be told apart from."""

    trajectories: Trajectories
    wants: Wants
    capture: Callable[[Observation], Example]
    arrange: Callable[[Sequence[Example]], Sequence[Pattern]]
    others: Callable[[Pattern], Sequence[str]]
    drafter: Drafter

    def __call__(self, observed: Sequence[Observation]) -> Extraction:
        kept: list[Example] = []
        left_out: Counter[str] = Counter()
        for observation in observed:
            messages = messages_in(self.trajectories.steps(observation.trajectory_id))
            if why := why_not_kept(observation, messages, self.wants):
                left_out[why] += 1
            else:
                kept.append(self.capture(observation))
        patterns = self.arrange(kept)
        return Extraction(
            kept=tuple(kept),
            left_out=dict(left_out),
            outcomes=tuple(
                (pattern, self.drafter.draft(pattern, self.others(pattern))) for pattern in patterns
            ),
        )
