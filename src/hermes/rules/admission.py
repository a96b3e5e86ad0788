"""Origin and policy → the first state after validation. One table decides what waits for a person.

`min_examples` binds `extract` alone, and only on its way to a release: an approver may say "now"
with fewer, which is recorded.
"""

from __future__ import annotations

from enum import StrEnum

from hermes.records.origin import Origin
from hermes.records.version import VersionState


class Policy(StrEnum):
    REVIEW = "review"
    EVIDENCE = "evidence"
    TRUST = "trust"


_ACTIVE = VersionState.ACTIVE
_CANARY = VersionState.CANARY
_WAIT = VersionState.AWAITING_REVIEW

ADMISSION: dict[Origin, dict[Policy, VersionState]] = {
    # A person's own act is live at once, whatever the policy: it is their library.
    Origin.USER: {Policy.REVIEW: _ACTIVE, Policy.EVIDENCE: _ACTIVE, Policy.TRUST: _ACTIVE},
    Origin.REQUESTED_BY_USER: {
        Policy.REVIEW: _ACTIVE,
        Policy.EVIDENCE: _ACTIVE,
        Policy.TRUST: _ACTIVE,
    },
    # Found on this disk before we came, or shipped with us: already there, nothing to decide.
    Origin.EXTERNAL: {Policy.REVIEW: _ACTIVE, Policy.EVIDENCE: _ACTIVE, Policy.TRUST: _ACTIVE},
    Origin.BUNDLED: {Policy.REVIEW: _ACTIVE, Policy.EVIDENCE: _ACTIVE, Policy.TRUST: _ACTIVE},
    # Written by a machine, or by a stranger.
    Origin.ASSISTANT_TOOL: {Policy.REVIEW: _WAIT, Policy.EVIDENCE: _CANARY, Policy.TRUST: _ACTIVE},
    Origin.BACKGROUND_REVIEW: {
        Policy.REVIEW: _WAIT,
        Policy.EVIDENCE: _CANARY,
        Policy.TRUST: _ACTIVE,
    },
    Origin.EXTRACT: {Policy.REVIEW: _WAIT, Policy.EVIDENCE: _CANARY, Policy.TRUST: _ACTIVE},
    Origin.REFINE: {Policy.REVIEW: _WAIT, Policy.EVIDENCE: _CANARY, Policy.TRUST: _ACTIVE},
    Origin.CURATE: {Policy.REVIEW: _WAIT, Policy.EVIDENCE: _CANARY, Policy.TRUST: _ACTIVE},
    Origin.COMPILE: {Policy.REVIEW: _WAIT, Policy.EVIDENCE: _CANARY, Policy.TRUST: _ACTIVE},
    Origin.HUB: {Policy.REVIEW: _WAIT, Policy.EVIDENCE: _CANARY, Policy.TRUST: _ACTIVE},
    # No policy trusts what nobody signed.
    Origin.UNKNOWN: {Policy.REVIEW: _WAIT, Policy.EVIDENCE: _WAIT, Policy.TRUST: _WAIT},
}


def first_state(origin: Origin, policy: Policy) -> VersionState:
    """Where a validated version of this origin goes under this policy."""
    return ADMISSION[origin][policy]
