"""What is compared: the head of a skill, never its body, and the start of a task.

The words go to the lexical index field by field; the vector is made of name and description alone.
Tags and conditions are lists of words, which the lexical index matches better than a vector does,
and each of their tokens would cost as much to embed as one of the description.
"""

from __future__ import annotations

from hermes.records.skill import Skill

Fields = tuple[tuple[str, float], ...]

_NAME, _TAGS, _CONDITIONS, _CATEGORY = 2.0, 2.0, 1.0, 0.5
_EMBEDDED = 320
"""Characters, about 64 tokens. A description says first what it is for; the rest costs 20 ms."""
_TASK_WORDS = 4_000
"""Characters of a task whose words are looked up."""
_TASK_EMBEDDED = 160
"""Characters of a task that are embedded, about 40 tokens or 14 ms. A task says early what it is
about, and its words count long after; embedding all of a long one would cost 80 ms."""


def head_fields(skill: Skill) -> Fields:
    """The searched texts, each with how much an occurrence in it counts."""
    return (
        (skill.name, _NAME),
        (skill.description, 1.0),
        (" ".join(skill.tags), _TAGS),
        ("\n".join(skill.trigger_conditions), _CONDITIONS),
        (skill.category, _CATEGORY),
    )


def head_text(skill: Skill) -> str:
    """The text whose vector stands for the skill."""
    return f"{skill.name.replace('-', ' ')}: {skill.description}"[:_EMBEDDED]


def task_words(text: str) -> str:
    """The part of a task or query that is looked up by its words."""
    return text[:_TASK_WORDS]


def task_text(text: str) -> str:
    """The part of a task or query whose vector stands for it."""
    return text[:_TASK_EMBEDDED]
