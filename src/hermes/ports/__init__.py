"""The seams: one small Protocol per word, plus transaction().

Stages and adapters know these and the records, nothing of each other. Lists are paged by id:
ids sort by time, so `after` the last id seen is the next page.
"""

from hermes.ports.library import Library, SkillFormat
from hermes.ports.machines import Blobs, Clock, Embedder, Model, Sandbox, Transactions, Trials
from hermes.ports.promotion import (
    Candidates,
    Changes,
    Checker,
    Events,
    Gate,
    HealthChecks,
    Journal,
    Listing,
    Releases,
    Skills,
    Users,
    Verdicts,
    Versions,
)
from hermes.ports.work import (
    Examples,
    Feedbacks,
    Memories,
    Observations,
    Outbox,
    Patterns,
    Sessions,
    Tasks,
    Trajectories,
    Uses,
)

__all__ = [
    "Blobs",
    "Candidates",
    "Changes",
    "Checker",
    "Clock",
    "Embedder",
    "Events",
    "Examples",
    "Feedbacks",
    "Gate",
    "HealthChecks",
    "Journal",
    "Library",
    "Listing",
    "Memories",
    "Model",
    "Observations",
    "Outbox",
    "Patterns",
    "Releases",
    "Sandbox",
    "Sessions",
    "SkillFormat",
    "Skills",
    "Tasks",
    "Trajectories",
    "Transactions",
    "Trials",
    "Users",
    "Uses",
    "Verdicts",
    "Versions",
]
