"""Turns a person's word into Grants: the hosts that a skill may reach when it is run.

Reads: the skill, its versions and grants. Writes: a Grant for each host, and an event. Never: gives
a host to a version that is not live, or to a trial. Safe to repeat: a host that the live version
has already, or no longer, changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hermes.errors import NotFound, Refused
from hermes.ids import new_id
from hermes.records.approval import Approval
from hermes.records.grant import Grant
from hermes.records.skill import Skill
from hermes.rules.grants import in_force, plain_host
from hermes.stages.promote import plans
from hermes.stages.promote.ledger import Ledger


def grants_in_force(ledger: Ledger, skill: Skill) -> tuple[Grant, ...]:
    """What the live version may reach; nothing where nothing is live."""
    grants = ledger.grants.of_skill(skill.id)
    if not grants:
        return ()
    return in_force(grants, ledger.active(skill), ledger.versions.of_skill(skill.id))


def grant(
    ledger: Ledger, skill: Skill, hosts: Sequence[str], approval: Approval
) -> tuple[Grant, ...]:
    """The grants that are new; a host that is granted already is left as it is."""
    wanted = dict.fromkeys(plain_host(host) for host in hosts)
    with ledger.transactions.transaction():
        version_id = ledger.skill(skill.id).active_version_id
        if version_id is None:
            raise Refused(
                f"skill '{skill.name}' is not live, so it reaches nothing",
                hint="approve it first; a host is granted to a version that somebody looked at",
            )
        known = {one.host for one in grants_in_force(ledger, skill)}
        new = tuple(
            Grant(
                id=new_id("grant"),
                skill_id=skill.id,
                version_id=version_id,
                host=host,
                approval=approval,
            )
            for host in wanted
            if host not in known
        )
        for one in new:
            ledger.grants.add(one)
        if new:
            _tell(ledger, "network.granted", new, approval)
    return new


def revoke(
    ledger: Ledger, skill: Skill, hosts: Sequence[str], approval: Approval
) -> tuple[Grant, ...]:
    """The grants that are taken back: those of these hosts, or all. Those asleep are taken too."""
    wanted = {plain_host(host) for host in hosts}
    with ledger.transactions.transaction():
        given = [one for one in ledger.grants.of_skill(skill.id) if one.revoked is None]
        unknown = wanted - {one.host for one in given}
        if unknown:
            raise NotFound(f"skill '{skill.name}' was not granted {', '.join(sorted(unknown))}")
        ended = tuple(
            replace(one, revoked=approval) for one in given if not wanted or one.host in wanted
        )
        for one in ended:
            ledger.grants.replace(one)
        if ended:
            _tell(ledger, "network.revoked", ended, approval)
    return ended


def _tell(ledger: Ledger, kind: str, grants: Sequence[Grant], approval: Approval) -> None:
    skill_id = grants[0].skill_id
    ledger.events.append(
        kind,
        actor=approval.by,
        subject_id=skill_id,
        skill_id=skill_id,
        data={
            "hosts": list(dict.fromkeys(one.host for one in grants)),
            "version_id": grants[-1].version_id,
            **plans.approval_facts(approval),
        },
    )
