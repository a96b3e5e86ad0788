"""What observing reads and writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from hermes.ports import Feedbacks, Observations, Tasks, Trajectories


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The part of the store that this stage sees."""

    trajectories: Trajectories
    tasks: Tasks
    feedbacks: Feedbacks
    observations: Observations
    now: Callable[[], datetime]
