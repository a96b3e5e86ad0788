"""One line of the audit trail as a sentence.

Every kind has its words here. A kind that is not known, from a newer version say, is told by its
own name and data rather than left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hermes.ids import canonical_json
from hermes.records.event import Event

_Data = Mapping[str, Any]


def sentence(event: Event, skill: str) -> str:
    """What happened, who did it, and why; `skill` is the name of the skill concerned."""
    tell = _SENTENCES.get(event.kind)
    if tell is None:
        about = f" on {skill}" if skill else f" on {event.subject_id}"
        return f"{event.actor}: {event.kind}{about} {canonical_json(dict(event.data))}"
    return tell(event, skill)


def _waits(event: Event, skill: str) -> str:
    data = event.data
    return (
        f"{event.actor} proposed version {data.get('version')} of {skill} ({data.get('summary')}); "
        f"it waits for review as {event.subject_id}"
    )


def _validated(event: Event, skill: str) -> str:
    data = event.data
    return f"{event.actor} wrote version {data.get('version')} of {skill} ({data.get('summary')})"


def _rejected(event: Event, skill: str) -> str:
    data = event.data
    version = f"version {data.get('version')} of {skill}"
    if "by" in data:  # a person said no
        return f"{event.actor} rejected {version}: {data.get('note')}{_channel(data)}"
    return f"{version} by {event.actor} was refused: {data.get('reason')}"


def _activated(event: Event, skill: str) -> str:
    data = event.data
    version, because = f"version {data.get('version')} of {skill}", _because(data, "note")
    if data.get("channel") == "policy":  # nobody in particular: the rule that allowed it
        return f"{version} went live{because or f' by {event.actor}'}"
    return f"{event.actor} made {version} live{because}{_backed(data)}{_channel(data)}"


def _backed(data: _Data) -> str:
    """Said where a draft went live on fewer examples than are usually wanted."""
    approved, wanted = data.get("approved_examples"), data.get("min_examples")
    if not isinstance(approved, int) or not isinstance(wanted, int) or approved >= wanted:
        return ""
    return f", on {approved} approved examples where {wanted} are usually wanted"


def _rolled_back(event: Event, skill: str) -> str:
    data = event.data
    moved = f"{skill} back from version {data.get('from')} to {data.get('to')}"
    return f"{event.actor} rolled {moved}{_because(data, 'note')}{_channel(data)}"


def _interrupted(event: Event, skill: str) -> str:
    return f"a release of {skill} was interrupted: {event.data.get('why')}"


def _vanished(event: Event, skill: str) -> str:
    return f"the folder of {skill} is gone: {event.data.get('why')}; its last version is kept"


def _rescued(event: Event, skill: str) -> str:
    data = event.data
    return f"what was in the folder of {skill} is kept in {data.get('path')}: {data.get('why')}"


def _deprecated(event: Event, skill: str) -> str:
    return f"{skill} failed its health check{_because(event.data, 'reason')}"


def _recovered(event: Event, skill: str) -> str:
    return f"{skill} is healthy again"


def _installed(event: Event, skill: str) -> str:
    packages = ", ".join(map(str, event.data.get("packages", ())))
    named = skill or event.data.get("skill")  # the list lets packages in before a skill is stored
    who = "sandbox.allowed_packages" if event.actor.startswith("policy:") else event.actor
    return f"{who} let the trials of {named} have {packages}"


def _network(done: str) -> Callable[[Event, str], str]:
    def tell(event: Event, skill: str) -> str:
        hosts = ", ".join(map(str, event.data.get("hosts", ())))
        said = f"{event.actor} {done.format(skill=skill, hosts=hosts)}"
        return f"{said}{_because(event.data, 'note')}{_channel(event.data)}"

    return tell


def _refused(event: Event, skill: str) -> str:
    findings = event.data.get("findings") or ["no reason was recorded"]
    return f"a proposal of {event.actor} for {event.subject_id} was turned away: {findings[0]}"


def _acted(done: str) -> Callable[[Event, str], str]:
    def tell(event: Event, skill: str) -> str:
        because = _because(event.data, "reason") or _because(event.data, "note")
        return f"{event.actor} {done} {skill}{because}{_channel(event.data)}"

    return tell


def _granted(event: Event, _skill: str) -> str:
    what, command = event.data.get("what"), event.data.get("command")
    return f"{event.actor} let the agent of {event.subject_id} have a {what} for: {command}"


def _on_trajectory(done: str) -> Callable[[Event, str], str]:
    def tell(event: Event, _skill: str) -> str:
        said = done.format(what=event.subject_id, rating=event.data.get("rating"))
        return f"{event.actor} {said}{_channel(event.data)}"

    return tell


def _on_memory(done: str) -> Callable[[Event, str], str]:
    """Which one, and never what it said: a trail cannot forget."""

    def tell(event: Event, _skill: str) -> str:
        ids = event.data.get("ids")
        what = f"{len(ids)} memories" if isinstance(ids, list) else event.subject_id
        return f"{event.actor} {done} {what}{_channel(event.data)}"

    return tell


def _consolidated(event: Event, _skill: str) -> str:
    count = len(event.data.get("episodes") or ())
    return f"{event.actor} made {event.subject_id} of {count} episodes{_channel(event.data)}"


def _imported(event: Event, _skill: str) -> str:
    data = event.data
    waiting = f", {data['waiting']} of them to be approved" if data.get("waiting") else ""
    vouched = ", vouching for them" if data.get("vouched") else ""
    took = f"took {data.get('kept')} memories from {event.subject_id}"
    return f"{event.actor} {took}{waiting}{vouched}{_channel(data)}"


def _embedder_changed(event: Event, _skill: str) -> str:
    data = event.data
    process = f"process {data.get('pid')} on {data.get('host')}"
    changed = f"had memories embedded with {data.get('name')} instead of {data.get('from')}"
    return f"{event.actor} {changed} ({process})"


def _overlap(event: Event, _skill: str) -> str:
    names = " and ".join(map(str, event.data.get("skills") or ()))
    return f"{event.actor} noted that {names} overlap{_because(event.data, 'why')}"


def _on_example(done: str) -> Callable[[Event, str], str]:
    def tell(event: Event, _skill: str) -> str:
        what = f"{event.subject_id} ({event.data.get('task')})"
        said = done.format(what=what, status=event.data.get("status"))
        return f"{event.actor} {said}{_because(event.data, 'note')}{_channel(event.data)}"

    return tell


def _because(data: _Data, key: str) -> str:
    return f": {data[key]}" if data.get(key) else ""


def _channel(data: _Data) -> str:
    """How the approval came; an agent that ran meanwhile is worth a word."""
    known = [str(data["channel"])] if data.get("channel") else []
    if data.get("agent_session_open"):
        known.append("an agent session was open")
    return f" ({', '.join(known)})" if known else ""


_SENTENCES: dict[str, Callable[[Event, str], str]] = {
    "candidate.awaiting_review": _waits,
    "candidate.validated": _validated,
    "candidate.rejected": _rejected,
    "release.activated": _activated,
    "release.rolled_back": _rolled_back,
    "release.interrupted": _interrupted,
    "proposal.refused": _refused,
    "folder.vanished": _vanished,
    "folder.rescued": _rescued,
    "skill.deprecated": _deprecated,
    "skill.recovered": _recovered,
    "packages.installed": _installed,
    "trajectory.rated": _on_trajectory("rated {what} {rating} of 5"),
    "trajectory.corrected": _on_trajectory("said what should have happened in {what}"),
    "trajectory.deleted": _on_trajectory("had {what} forgotten"),
    "example.added": _on_example("wrote down example {what}, {status}"),
    "example.approved": _on_example("approved example {what}"),
    "example.rejected": _on_example("rejected example {what}"),
    "memory.approved": _on_memory("approved"),
    "memory.forgotten": _on_memory("forgot"),
    "memory.consolidated": _consolidated,
    "memory.imported": _imported,
    "embedder.changed": _embedder_changed,
    "command.granted": _granted,
    "network.granted": _network("let {skill} reach {hosts} when it is run"),
    "network.revoked": _network("took {hosts} back from {skill}"),
    "skills.overlap": _overlap,
    "skill.archived": _acted("archived"),
    "skill.restored": _acted("restored"),
    "skill.pinned": _acted("pinned"),
    "skill.unpinned": _acted("unpinned"),
    "skill.disabled": _acted("disabled"),
    "skill.enabled": _acted("enabled"),
}
