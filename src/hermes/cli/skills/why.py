"""`skills why`: why a skill exists and why it is as it is, from the records alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes.app import open_home
from hermes.app.granting import granted_hosts
from hermes.app.settling import uses_in
from hermes.cli import picking, wording
from hermes.cli.arguments import name_argument
from hermes.cli.branch import Branch
from hermes.cli.command import Call, Command
from hermes.cli.output import cell
from hermes.cli.skills.showing import marks
from hermes.cli.uses import branch_of
from hermes.rules.grants import in_force

if TYPE_CHECKING:
    from hermes.app import Home
    from hermes.records.change import Change
    from hermes.records.grant import Grant
    from hermes.records.release import Release
    from hermes.records.skill import Skill
    from hermes.records.version import Version


def why(call: Call) -> None:
    with open_home(call.settings) as home:
        skill = picking.skill_to_read(call, home, call.args.name)
        if call.json:
            call.out.json(_records(home, skill))
        else:
            call.out.tree(_tree(home, skill))


def _tree(home: Home, skill: Skill) -> Branch:
    """The live version first, because that is the question; then what came before it."""
    ledger = home.ledger
    live = ledger.active(skill)
    versions = reversed(ledger.versions.of_skill(skill.id))
    below = [_version(home, live, "live: ")] if live else []
    below += [_version(home, one) for one in versions if one.id != skill.active_version_id]
    acts = ledger.changes.of_skill(skill.id)
    if acts:
        below.append(Branch("acts", [_act(act) for act in acts]))
    grants = ledger.grants.of_skill(skill.id)
    if grants:
        holding = in_force(grants, live, ledger.versions.of_skill(skill.id))
        below.append(Branch("network", [_grant(home, one, one in holding) for one in grants]))
    state = "draft" if live is None and skill.state == "live" else skill.state
    known = ", ".join([state, *marks(skill)])
    return Branch(f"{skill.name} ({known}): {skill.description}", below)


def _version(home: Home, version: Version, mark: str = "") -> Branch:
    ledger = home.ledger
    candidate = ledger.candidates.of_version(version.id)
    below: list[Branch] = []
    if candidate is not None:
        author = wording.wrote(candidate.origin, candidate.author, candidate.session_id)
        below += [
            Branch(f"{author}, on {cell(candidate.created_at)}"),
            Branch(f"proposed as {candidate.id}: {wording.proposed(candidate)}"),
            Branch("evidence", [Branch(line) for line in wording.evidence(candidate.evidence)]),
        ]
        below += [wording.verdict_branch(one) for one in ledger.verdicts.of_candidate(candidate.id)]
    releases = ledger.releases.of_skill(version.skill_id)
    below += [_release(home, one) for one in releases if one.version_id == version.id]
    return Branch(f"{mark}version {version.number}, {version.state}", below)


def _release(home: Home, release: Release) -> Branch:
    uses = uses_in(home).of_release(release.id)
    below = [Branch(wording.approved(release.approval)), *branch_of(uses)]
    if release.ended_at is not None:
        below.append(Branch(f"ended on {cell(release.ended_at)}: {release.end_reason}"))
    return Branch(f"released on {cell(release.released_at)} as {release.id}", below)


def _act(change: Change) -> Branch:
    reason = f": {change.reason}" if change.reason else ""
    return Branch(
        f"{change.act} on {cell(change.at)}{reason}", [Branch(wording.approved(change.approval))]
    )


def _grant(home: Home, grant: Grant, holds: bool) -> Branch:
    """A host, whether the live version may reach it, and who said what about it."""
    version = home.ledger.version(grant.version_id)
    told = f"{grant.host}, granted to version {version.number} on {cell(grant.approval.at)}"
    below = [Branch(wording.approved(grant.approval))]
    if (revoked := grant.revoked) is not None:
        below.append(Branch(f"taken back on {cell(revoked.at)}: {wording.approved(revoked)}"))
    elif not holds:
        below.append(Branch("does not hold: what is live is not that version, nor an edit by hand"))
    return Branch(told, below)


def _records(home: Home, skill: Skill) -> dict[str, object]:
    ledger = home.ledger
    candidates, releases = ledger.candidates.of_skill(skill.id), ledger.releases.of_skill(skill.id)
    return {
        "skill": skill,
        "versions": [
            {
                "version": version,
                "candidate": next((c for c in candidates if c.version_id == version.id), None),
                "verdicts": [
                    verdict
                    for candidate in candidates
                    if candidate.version_id == version.id
                    for verdict in ledger.verdicts.of_candidate(candidate.id)
                ],
                "releases": [release for release in releases if release.version_id == version.id],
            }
            for version in ledger.versions.of_skill(skill.id)
        ],
        "changes": ledger.changes.of_skill(skill.id),
        "grants": ledger.grants.of_skill(skill.id),
        "network": granted_hosts(home, skill),
        "uses": [use for one in releases for use in uses_in(home).of_release(one.id)],
    }


COMMANDS = {
    "why": Command(
        run=why,
        arguments=name_argument,
        json=True,
        summary="why a skill exists: author, evidence, checks, approvals, uses",
        example="hermes skills why tidy-csv",
    ),
}
