"""A skill that a person calls by its name: its own words go to the agent with the request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes.errors import Refused
from hermes.records.scope import PERSONAL
from hermes.records.skill import Skill, SkillState
from hermes.records.turn import Offer
from hermes.records.use import Arm
from hermes.stages.execute.stage import Request

if TYPE_CHECKING:
    from hermes.app.home import Home
    from hermes.records.version import Version


def skill_request(home: Home, name: str, words: str) -> tuple[Request | None, str]:
    """The request that applies the skill, and what the person should know of it.

    A draft may be tried by its name, marked as a trial; nobody else is shown it. None where there
    is no such skill at all.
    """
    skill = home.ledger.skills.named(name, PERSONAL)
    if skill is None:
        home.reader.look(deep=False)  # it may have been put there a moment ago
        skill = home.ledger.skills.named(name, PERSONAL)
    if skill is None:
        return None, ""
    _check_switched_on(skill)
    if skill.active_version_id is not None:
        home.reader.look_at([skill])
        live = home.ledger.skills.get(skill.id) or skill
        version = home.ledger.versions.get(live.active_version_id or "")
        note = f"{name} is deprecated: its health check failed" if _is_deprecated(live) else ""
        return (_request(home, live, version, words), note) if version else (None, "")
    waiting = [one for one in home.ledger.candidates.awaiting() if one.skill_id == skill.id]
    version = home.ledger.versions.get(waiting[-1].version_id) if waiting else None
    if version is None:
        return None, ""
    note = f"{name} is a draft that nobody has approved: this is a trial of it"
    return _request(home, skill, version, words, trial=True), note


def _check_switched_on(skill: Skill) -> None:
    """Somebody put it away on purpose, so its name alone does not bring it back."""
    if skill.state is SkillState.ARCHIVED:
        hint = f"`hermes skills restore {skill.name}` brings it back"
        raise Refused(f"{skill.name} is archived", hint=hint)
    if skill.disabled:
        hint = f"`hermes skills enable {skill.name}` switches it on"
        raise Refused(f"{skill.name} is disabled", hint=hint)


def _is_deprecated(skill: Skill) -> bool:
    return skill.state is SkillState.DEPRECATED


def _request(
    home: Home, skill: Skill, version: Version, words: str, *, trial: bool = False
) -> Request:
    from hermes.records.folder import SKILL_FILE
    from hermes.rules.folder_rules import skill_file

    files = {file.path: file for file in version.files}
    path = skill_file(files) or SKILL_FILE
    text = home.ledger.versions.content(files[path].content).decode("utf-8-sig", "replace")
    release = home.ledger.releases.current(skill.id)
    live = release is not None and release.version_id == version.id
    asked = f"Apply the skill {skill.name}{f' to this: {words}' if words else ''}."
    support = ", ".join(sorted(set(files) - {path}))
    shown = f'{asked}\n\n<skill name="{skill.name}">\n{text}\n</skill>'
    if support:
        shown += f"\n\nIts support files, to be read with skill_view: {support}"
    return Request(
        text=f"{skill.name}: {words}" if words else f"{skill.name}: {skill.description}",
        shown=shown,
        fresh=True,
        given=Offer(
            skill_id=skill.id,
            name=skill.name,
            version_id=version.id,
            release_id=release.id if release is not None and live else None,
            arm=Arm.RELEASE,
            why="a person tried the draft by its name" if trial else "called by its name",
        ),
        trial=trial,
    )
