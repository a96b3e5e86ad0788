"""What memory keeps of a live skill: what it is for, when to use it, what it wants to be given."""

from __future__ import annotations

from collections.abc import Iterator

from hermes.records.skill import Parameter, Skill

LONGEST = 800
_MOST_INPUTS = 8
_MOST_SITUATIONS = 4


def manual_text(skill: Skill) -> str:
    """Short: the steps are in the skill itself, which a search for it opens."""
    text = " ".join(_parts(skill))
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _parts(skill: Skill) -> Iterator[str]:
    yield f"Skill {skill.name}: {' '.join(skill.description.split())}"
    described = skill.description.lower()
    new = [one for one in skill.trigger_conditions if one.lower() not in described]
    if new:
        yield f"Of use for: {'; '.join(new[:_MOST_SITUATIONS])}."
    if skill.parameters:
        yield f"Inputs: {'; '.join(map(_input, skill.parameters[:_MOST_INPUTS]))}."
    if skill.dependencies:
        yield f"Needs: {', '.join(skill.dependencies[:_MOST_INPUTS])}."


def _input(one: Parameter) -> str:
    """Not the values that were seen: those are somebody's data."""
    about = f", {' '.join(one.description.split())}" if one.description else ""
    return f"{one.name} ({one.type}{'' if one.required else ', optional'}{about})"
