"""What a skill was granted, for whoever runs it or shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.records.sandbox import NetworkGrant
    from hermes.records.skill import Skill


def granted_hosts(home: Home, skill: Skill) -> tuple[str, ...]:
    """The hosts that a skill may reach when it is run, as `hermes skills grant` let it."""
    grant = network_grant(home, skill)
    return grant.hosts if grant is not None else ()


def network_grant(home: Home, skill: Skill) -> NetworkGrant | None:
    """The same as the sandbox wants it; only for SandboxPolicy.running, since no trial has any."""
    from hermes.records.sandbox import NetworkGrant
    from hermes.stages.promote.granting import grants_in_force

    grants = grants_in_force(home.ledger, skill)
    if not grants:
        return None
    people = dict.fromkeys(one.approval.by for one in grants)
    return NetworkGrant(hosts=tuple(one.host for one in grants), approved_by=", ".join(people))
