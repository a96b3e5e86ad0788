"""Slash commands: the commands of the command line, with the session's own run filled in.

They are the same functions, so what the chat does and what a script does cannot drift apart.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hermes.errors import WrongCall

Run = Callable[[Sequence[str]], int]
"""Runs a command of the command line in this process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slash:
    """`words` makes the words of a command line from what stands behind the slash."""

    summary: str
    words: Callable[[Sequence[str], Around], list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What a command of the chat knows besides its words."""

    trajectory_id: str | None
    user: str


def _skills(words: Sequence[str], _: Around) -> list[str]:
    return ["skills", *(words or ["list"])]


def _review(words: Sequence[str], around: Around) -> list[str]:
    """Whoever sits at the terminal decides, unless another name is given."""
    words = list(words or ["list"])
    if words[0] in ("approve", "reject") and "--by" not in words:
        words += ["--by", around.user]
    if words[0] == "reject" and "--reason" not in words and len(words) > 4:
        reason = " ".join(words[2:-2])
        words = [*words[:2], "--reason", reason, *words[-2:]]
    return ["review", *words]


def _rate(words: Sequence[str], around: Around) -> list[str]:
    return ["rate", _last_run(around), *(words or ["up"])]


def _correct(words: Sequence[str], around: Around) -> list[str]:
    if not words:
        raise WrongCall("say what should have happened", hint="/correct leave out cancelled orders")
    return ["correct", _last_run(around), " ".join(words)]


def _memory(words: Sequence[str], _: Around) -> list[str]:
    if words and words[0] in ("add", "search"):
        return ["memory", words[0], " ".join(words[1:])]
    return ["memory", *(words or ["list"])]


def _learn(words: Sequence[str], _: Around) -> list[str]:
    if not words:
        raise WrongCall("say where the logs are", hint="/learn ~/.claude/projects")
    return ["learn", *words]


def _model(words: Sequence[str], _: Around) -> list[str]:
    if len(words) == 1 and words[0] not in ("list", "pull"):
        return ["model", "use", words[0]]
    return ["model", *(words or ["list"])]


def _last_run(around: Around) -> str:
    if around.trajectory_id is None:
        raise WrongCall("nothing was done in this session yet")
    return around.trajectory_id


COMMANDS: Mapping[str, Slash] = {
    "skills": Slash(summary="list skills; /skills show NAME, search TEXT, why NAME", words=_skills),
    "review": Slash(
        summary="drafts that wait; /review show ID, approve ID, reject ID reason", words=_review
    ),
    "rate": Slash(summary="how well the last run was done: up, down or 1 to 5", words=_rate),
    "correct": Slash(summary="what should have happened in the last run", words=_correct),
    "memory": Slash(summary="what is remembered; /memory search TEXT, add TEXT", words=_memory),
    "learn": Slash(summary="learn from logs of other agents: /learn PATH", words=_learn),
    "model": Slash(summary="the models there are; /model NAME uses another", words=_model),
}
OWN = {"help": "this page", "quit": "end the session (Ctrl-D does too)"}


def split(line: str) -> tuple[str, list[str]]:
    """A line that begins with a slash → the name, and the words behind it."""
    name, _, rest = line[1:].strip().partition(" ")
    try:
        return name, shlex.split(rest)
    except ValueError:  # an apostrophe in plain words
        return name, rest.split()


def help_page(skills: Sequence[tuple[str, str]]) -> str:
    lines = ["Type what you want done. Alt-Enter makes a new line, Ctrl-C stops the agent.", ""]
    lines += [f"  /{name:<10} {one.summary}" for name, one in COMMANDS.items()]
    lines += [f"  /{name:<10} {summary}" for name, summary in OWN.items()]
    if skills:
        lines += ["", "Skills:"]
        lines += [f"  /{name:<24} {description[:80]}" for name, description in skills]
    return "\n".join(lines)
