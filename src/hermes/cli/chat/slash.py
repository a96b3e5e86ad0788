"""Slash commands: the commands of the command line, with what the session knows filled in.

They are the same functions, so what the chat does and what a script does cannot drift apart.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hermes.errors import WrongCall

_SKILLS_SHOWN = 20  # on the help page


@dataclass(frozen=True, slots=True, kw_only=True)
class Slash:
    """`words` makes the words of a command line from what stands behind the slash."""

    summary: str
    words: Callable[[Sequence[str], Around], list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What a command of the chat knows besides its words.

    `waiting` are the candidates that wait for review, with the names of their skills. `ask` asks
    the person for one line.
    """

    trajectory_id: str | None
    user: str
    waiting: Callable[[], Mapping[str, str]]
    ask: Callable[[str], str]


def _skills(words: Sequence[str], _: Around) -> list[str]:
    return ["skills", *(words or ["list"])]


def _review(words: Sequence[str], around: Around) -> list[str]:
    """Whoever sits at the terminal decides, unless another name is given. With one draft waiting,
    that is the one that is meant."""
    if not words:
        waiting = list(around.waiting())
        return ["review", "show", *waiting] if len(waiting) == 1 else ["review", "list"]
    act, rest = words[0], list(words[1:])
    if act not in ("show", "approve", "reject"):
        return ["review", *words]
    candidate = _candidate(rest, around)
    if act == "show":
        return ["review", act, candidate, *rest]
    if act == "reject" and "--reason" not in rest:
        spoken, options = _spoken(rest)
        reason = " ".join(spoken) or around.ask("what is wrong with it? ").strip()
        if not reason:
            raise WrongCall("nothing is rejected without a reason", hint="/review reject ID WHY")
        rest = ["--reason", reason, *options]
    if "--by" not in rest:
        name = around.ask(f"who decides this? [{around.user}] ").strip()
        rest += ["--by", name or around.user]
    return ["review", act, candidate, *rest]


def _candidate(rest: list[str], around: Around) -> str:
    """Take the candidate off the words: by its id, by its skill's name, or as the only one."""
    waiting = around.waiting()
    first = rest[0] if rest and not rest[0].startswith("-") else ""
    bare = first.removeprefix("candidate_")
    if first and any(one.removeprefix("candidate_").startswith(bare) for one in waiting):
        return rest.pop(0)
    named = [one for one, name in waiting.items() if name == first]
    if named:
        rest.pop(0)
        return named[-1]
    if len(waiting) == 1 and not first.startswith("candidate_"):
        return next(iter(waiting))
    if first:
        return rest.pop(0)
    raise WrongCall(
        "say which one", hint="/review lists them: any part of an id, or a skill's name"
    )


def _spoken(rest: Sequence[str]) -> tuple[list[str], list[str]]:
    """Words before the first option, and the options."""
    at = next((at for at, word in enumerate(rest) if word.startswith("--")), len(rest))
    return list(rest[:at]), list(rest[at:])


def _rate(words: Sequence[str], around: Around) -> list[str]:
    return ["rate", _last_run(around), *(words or ["up"])]


def _correct(words: Sequence[str], around: Around) -> list[str]:
    if not words:
        raise WrongCall("say what should have happened", hint="/correct leave out cancelled orders")
    return ["correct", _last_run(around), "--", " ".join(words)]


def _memory(words: Sequence[str], _: Around) -> list[str]:
    if words and words[0] in ("add", "search"):
        spoken, options = _spoken(words[1:])
        return ["memory", words[0], " ".join(spoken), *options]
    return ["memory", *(words or ["list"])]


def _learn(words: Sequence[str], _: Around) -> list[str]:
    from os.path import expanduser

    if not words:
        raise WrongCall("say where the logs are", hint="/learn ~/.claude/projects")
    return ["learn", *map(expanduser, words)]


def _model(words: Sequence[str], _: Around) -> list[str]:
    if len(words) == 1 and words[0] not in ("list", "pull", "use"):
        return ["model", "use", words[0]]
    return ["model", *(words or ["list"])]


def _last_run(around: Around) -> str:
    if around.trajectory_id is None:
        raise WrongCall("nothing was done in this session yet")
    return around.trajectory_id


COMMANDS: Mapping[str, Slash] = {
    "skills": Slash(summary="list skills; /skills show NAME, search TEXT, why NAME", words=_skills),
    "review": Slash(
        summary="drafts that wait; /review show ID, approve ID, reject ID WHY", words=_review
    ),
    "rate": Slash(summary="how well the last run was done: up, down or 1 to 5", words=_rate),
    "correct": Slash(summary="what should have happened in the last run", words=_correct),
    "memory": Slash(summary="what is remembered; /memory search TEXT, add TEXT", words=_memory),
    "learn": Slash(summary="learn from logs of other agents: /learn PATH", words=_learn),
    "model": Slash(summary="the models there are; /model NAME uses another", words=_model),
}
OWN = {"help": "this page", "quit": "end the session (Ctrl-D does too)"}


def split(line: str) -> tuple[str, str]:
    """A line that begins with a slash → the name, and what stands behind it."""
    name, _, rest = line[1:].replace("\n", " ", 1).partition(" ")
    return name, rest.strip()


def words_of(rest: str) -> list[str]:
    """Words as a shell would take them; an apostrophe in plain words is only that."""
    try:
        return shlex.split(rest)
    except ValueError:
        return rest.split()


def help_page(skills: Mapping[str, str], columns: int = 80) -> str:
    lines = [
        "Type what you want done. Ctrl-C stops the agent, and clears the line at the prompt.",
        "Alt-Enter, or a backslash at the end of a line, makes a new line.",
        "",
    ]
    known = {**{name: one.summary for name, one in COMMANDS.items()}, **OWN}
    lines += [f"  /{name:<10} {summary}" for name, summary in known.items()]
    if skills:
        margin = min(max(map(len, skills)), 32) + 1
        room = max(columns - margin - 4, 20)
        lines += ["", "Skills:"]
        for name, description in list(skills.items())[:_SKILLS_SHOWN]:
            short = " ".join(description.split())
            short = short if len(short) <= room else f"{short[: room - 1]}…"
            lines.append(f"  /{name:<{margin}}{short}")
        if len(skills) > _SKILLS_SHOWN:
            lines.append(f"  and {len(skills) - _SKILLS_SHOWN} more: /skills lists them")
    return "\n".join(lines)
