"""What every store must do, as plain functions over its ports.

Whoever writes another store fills a `StorePorts` with it, on an empty database each time, and
calls every function of `STORE_CONTRACT`; each raises AssertionError where the store falls short.
"""

from __future__ import annotations

from hermes.testing.contracts import (
    conversations,
    events,
    grants,
    health,
    learning,
    listing,
    memories,
    memory_listing,
    outbox,
    past_work,
    people,
    releases,
    review,
    skills,
    texts,
    trajectories,
    transactions,
    versions,
)

STORE_CONTRACT = (
    *transactions.CHECKS,
    *conversations.CHECKS,
    *trajectories.CHECKS,
    *outbox.CHECKS,
    *learning.CHECKS,
    *skills.CHECKS,
    *listing.CHECKS,
    *versions.CHECKS,
    *review.CHECKS,
    *releases.CHECKS,
    *events.CHECKS,
    *grants.CHECKS,
    *health.CHECKS,
    *people.CHECKS,
    *memories.CHECKS,
    *memory_listing.CHECKS,
    *past_work.CHECKS,
    *texts.CHECKS,
)
