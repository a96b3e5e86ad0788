"""Settle: what became of a run → the outcome of every skill that it was given.

Reads: the uses of the run's task, the run and our reading of it.
Writes: each Use, with its outcome, time and tokens.
Never: counts what nobody knows as a success, or a control arm as a use.
Safe to repeat: the same reading settles the same; a later one (a rating, a follow-up) replaces it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from hermes.ports import Trajectories, Uses
from hermes.records.observation import Observation
from hermes.records.trajectory import Step
from hermes.records.use import Outcome

_OUTCOMES = {True: Outcome.SUCCESS, False: Outcome.FAILURE, None: Outcome.UNKNOWN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle:
    uses: Uses
    trajectories: Trajectories
    now: Callable[[], datetime]

    def __call__(self, observed: Sequence[Observation]) -> int:
        """How many uses have another outcome than before."""
        return sum(self._settle(observation) for observation in observed)

    def _settle(self, observation: Observation) -> int:
        run = self.trajectories.get(observation.trajectory_id)
        if run is None:
            return 0
        open_uses = [
            use for use in self.uses.of_task(run.task_id) if use.trajectory_id in (None, run.id)
        ]
        if not open_uses:
            return 0
        tokens = sum(_tokens(step) for step in self.trajectories.steps(run.id))
        seconds = run.summary.total_time if run.summary else None
        changed = 0
        for use in open_uses:
            settled = replace(
                use,
                outcome=_OUTCOMES[observation.success],
                seconds=seconds,
                tokens=tokens or None,
            )
            if settled != use or use.settled_at is None:
                self.uses.replace(replace(settled, settled_at=self.now()))
                changed += 1
        return changed


def _tokens(step: Step) -> int:
    tokens = step.metadata.get("tokens")
    return tokens if isinstance(tokens, int) else 0
