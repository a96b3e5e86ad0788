"""How the labelled requests were done: each by a run as an agent makes them, by fixed luck.

data/ways.txt says how it was made. Here a way is drawn, put into the words of one agent's tools,
disturbed, and read by the same code that reads real runs.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hermes.records.codec import Json
from hermes.rules.actions.action import Action
from hermes.rules.actions.moves import Move
from hermes.rules.actions.reading import action_of
from hermes.rules.clustering.tool_profile import tool_profile

Way = tuple[str, ...]
_APART = " ;; "
_NOISE, _ANYTHING = "noise", "anything"
_NO_TOOLS, _ANY_WAY = 0.04, 0.12
_LOST, _WRONG_TRY, _TOLD_WRONG = 0.12, 0.20, 0.5
"""How often a step is missing from a run; how often a run has one that led nowhere, and how often
the log then says that it failed."""
_MOST_NOISE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What decides how a request was done: its intent, or the kind of a one-off; the intent that it
    is easily taken for; its number, which is its luck."""

    kind: str
    like: str
    number: int


def drawn_profile(asked: Asked) -> tuple[str, ...]:
    """The same for the same request, in every process."""
    luck = random.Random(f"{asked.kind}/{asked.number}")
    if luck.random() < _NO_TOOLS:
        return ()
    kind = _ANYTHING if luck.random() < _ANY_WAY else asked.kind
    steps = _as_done(_drawn_way(kind, luck), luck)
    speaks = luck.choices(_AGENTS, weights=(5, 3, 2))[0]
    moves = [_move(at, speaks(step), failed=None) for at, step in enumerate(steps)]
    if luck.random() < _WRONG_TRY:
        tried = luck.choice(_drawn_way(_other(asked, luck), luck))
        moves.append(_move(len(moves), speaks(tried), luck.random() < _TOLD_WRONG or None))
    return tool_profile([move for move in moves if move.action.tool])


def _drawn_way(kind: str, luck: random.Random) -> Way:
    ways = _ways()[kind]
    weights = [1 / rank for rank in range(1, len(ways) + 1)]
    return luck.choices(ways, weights=weights)[0]


def _as_done(way: Way, luck: random.Random) -> list[str]:
    """With what gets lost and what comes in between."""
    kept = []
    for step in way:
        bare = step.removeprefix("? ")
        if luck.random() >= (0.5 if bare != step else _LOST):
            kept.append(bare)
    done = kept or [way[0].removeprefix("? ")]
    for _ in range(luck.randint(0, _MOST_NOISE)):
        (noise,) = luck.choice(_ways()[_NOISE])
        done.insert(luck.randint(0, len(done)), noise)
    return done


def _other(asked: Asked, luck: random.Random) -> str:
    if asked.like and luck.random() < 0.5:
        return asked.like
    return luck.choice([kind for kind in _ways() if kind not in (_NOISE, asked.kind)])


@cache
def _ways() -> Mapping[str, Sequence[Way]]:
    """Kind of task → its ways, in the order of the file."""
    found: dict[str, list[Way]] = {}
    text = (Path(__file__).parent / "data" / "ways.txt").read_text("utf-8")
    for line in text.splitlines():
        if line.startswith("== "):
            ways = found.setdefault(line[3:], [])
        elif line and not line.startswith("#"):
            ways.append(tuple(line.split(_APART)))
    return found


def _move(at: int, action: Action, failed: bool | None) -> Move:
    return Move(
        step_id=at,
        result_id=None,
        action=action,
        output=None,
        failed=failed,
        exit_code=None,
        seconds=0.0,
        artefacts=(),
    )


def _in_words_of_claude_code(step: str) -> Action:
    act, what, imported = _parts(step)
    match act:
        case "$":
            return _ran("Bash", "command", what, imported)
        case "read":
            return action_of("Read", {"file_path": what})
        case "write":
            return action_of("Write", {"file_path": what, "content": imported})
        case "edit":
            return action_of("Edit", {"file_path": what, "old_string": "a", "new_string": "b"})
        case "search":
            return action_of("Grep", {"pattern": what})
        case "fetch":
            return action_of("WebFetch", {"url": what})
    return _special(what)


def _in_words_of_codex(step: str) -> Action:
    act, what, imported = _parts(step)
    match act:
        case "$":
            return _ran("shell", "command", what, imported, wrapped=True)
        case "read":
            return _ran("shell", "command", f"cat {what}", "", wrapped=True)
        case "write":
            body = "".join(f"+{line}\n" for line in imported.splitlines())
            return action_of("apply_patch", {"input": f"*** Add File: {what}\n{body}"})
        case "edit":
            return action_of("apply_patch", {"input": f"*** Update File: {what}\n-a\n+b\n"})
        case "search":
            return _ran("shell", "command", f"rg -n '{what}'", "", wrapped=True)
        case "fetch":
            return action_of("web_search", {"query": what})
    return _special(what)


def _in_words_of_hermes_agent(step: str) -> Action:
    act, what, imported = _parts(step)
    match act:
        case "$":
            return _ran("terminal", "command", what, imported)
        case "read":
            return action_of("read_file", {"path": what})
        case "write":
            return action_of("write_file", {"path": what, "content": imported})
        case "edit":
            return action_of("patch", {"path": what, "old_string": "a", "new_string": "b"})
        case "search":
            return action_of("search_files", {"pattern": what})
        case "fetch":
            return action_of("web_extract", {"url": what})
    return _special(what)


_AGENTS = (_in_words_of_claude_code, _in_words_of_codex, _in_words_of_hermes_agent)


def _parts(step: str) -> tuple[str, str, str]:
    """The act, what it is done to, and the imports of a program that is written or run."""
    act, _, rest = step.partition(" ")
    splits = act == "write" or "<<" in rest
    what, _, modules = rest.rpartition(":") if splits and ":" in rest else (rest, "", "")
    names = [name.strip() for name in modules.split(",") if name.strip()]
    return act, what.strip(), "".join(f"import {name}\n" for name in names)


def _ran(tool: str, argument: str, script: str, imported: str, *, wrapped: bool = False) -> Action:
    if "<<'PY'" in script:
        script = f"{script}\n{imported}PY"
    call: dict[str, Json] = {argument: ["bash", "-lc", script] if wrapped else script}
    return action_of(tool, call)


def _special(tool: str) -> Action:
    """A tool that only some people have; `-` is none at all."""
    return action_of("" if tool == "-" else tool, {})
