"""The library as a list shows it."""

from __future__ import annotations

from dataclasses import replace

from hermes.records.origin import Origin
from hermes.records.skill import SkillState
from hermes.records.skill_line import SkillLine
from hermes.testing import samples
from hermes.testing.store import StorePorts


def a_line_says_what_the_skill_says(ports: StorePorts) -> None:
    skill = samples.skill(
        name="tidy-csv",
        scope="team:ops",
        category="data",
        state=SkillState.STALE,
        pinned=True,
        origin=Origin.EXTRACT,
        description="Tidies späte Zeilen.",
    )
    ports.skills.add(skill)
    version = samples.version(skill.id, number=7)
    ports.versions.add(version, samples.FOLDER.contents())
    ports.skills.replace(replace(skill, active_version_id=version.id, proven=True))
    assert ports.listing.lines() == [
        SkillLine(
            name="tidy-csv",
            scope="team:ops",
            category="data",
            state="stale",
            version=7,
            origin="extract",
            pinned=True,
            disabled=False,
            proven=True,
            description="Tidies späte Zeilen.",
        )
    ]


def a_flag_of_a_line_is_a_flag(ports: StorePorts) -> None:
    ports.skills.add(samples.skill(disabled=True))
    (line,) = ports.listing.lines()
    assert (line.pinned, line.disabled, line.proven) == (False, True, False)
    assert type(line.disabled) is bool
    assert line.version is None


def lines_come_in_the_order_of_all_skills(ports: StorePorts) -> None:
    for name in ("b-a", "ba", "a_b", "Za", "ä"):
        ports.skills.add(samples.skill(name=name))
    ports.skills.add(samples.skill(name="a", scope="team:ops"))
    assert [(line.scope, line.name) for line in ports.listing.lines()] == [
        (skill.scope, skill.name) for skill in ports.skills.all()
    ]


CHECKS = (
    a_line_says_what_the_skill_says,
    a_flag_of_a_line_is_a_flag,
    lines_come_in_the_order_of_all_skills,
)
