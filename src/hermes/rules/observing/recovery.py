"""Each failure with what recovered from it: the pairs that pitfalls are made of.

A recovery is the same action with something changed, the same action after a file was changed, or
another action on the same thing. What is written down is what to do, never what not to use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum

from hermes.records.observation import ErrorRecovery
from hermes.rules.actions.action import Action, ActionKind
from hermes.rules.actions.moves import Move
from hermes.rules.observing.checks import changes
from hermes.rules.observing.failures import Failure, FailureKind, failure_of

_AHEAD = 40
"""Moves after a failure in which its recovery is looked for."""
_COMPARED = 2_000
_ALIKE = 0.6
_SHORT = 300
"""Characters up to which two texts are compared letter by letter, beyond it word by word."""
_QUOTED = 160
_WORD = re.compile(r"\"[^\"]*\"|'[^']*'|[^\s\"']+")
_THING = re.compile(r"(?<![\w./~-])[\w.~-]{0,80}/[\w./~-]+|\b[\w-]{1,80}\.\w{1,8}\b")


class How(StrEnum):
    REPAIRED = "repaired"
    FILE_CHANGED = "file_changed"
    ANOTHER_WAY = "another_way"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """A failure and its end; `recovered_by` is None where none was seen."""

    failure: Failure
    recovered_by: int | None = None
    how: How | None = None
    remedy: str = ""

    @property
    def teaches(self) -> bool:
        """Whether it is worth telling: a real mistake whose way out is known."""
        return self.failure.kind is FailureKind.MISTAKE and self.recovered_by is not None


def recoveries_of(moves: Sequence[Move]) -> tuple[Recovery, ...]:
    """Every failure of a run, in order."""
    found = []
    for at, move in enumerate(moves):
        failure = failure_of(move)
        if failure is not None:
            found.append(_recovery(failure, move, moves[at + 1 : at + 1 + _AHEAD]))
    return tuple(found)


def pitfalls(
    recoveries: Sequence[Recovery], known: Collection[str], shown: Callable[[str], str]
) -> ErrorRecovery:
    """What was learned that nobody knew: `known` are keys of failures, `shown` redacts."""
    new = {one.failure.key: one for one in recoveries if one.teaches}
    told = [shown(_sentence(one)) for key, one in new.items() if key not in known]
    if not told:
        return ErrorRecovery()
    return ErrorRecovery(discovered_new_pitfall=True, pitfall_description="; ".join(told[:3]))


def _sentence(one: Recovery) -> str:
    return f"{one.failure.subject} fails: {one.failure.problem.rstrip('.')}; {one.remedy}"


def _recovery(failure: Failure, failed: Move, after: Sequence[Move]) -> Recovery:
    for at, move in enumerate(after):
        if move.failed or not _alike(failed, move):
            continue
        changed = [one for one in after[:at] if any(changes(one))]
        same = move.action.text.strip() == failed.action.text.strip()
        if changed:
            return _recovered(failure, move, How.FILE_CHANGED, _change(changed[-1]))
        if same:  # the very same call went well a moment later: the fault passed by itself
            passing = replace(failure, kind=_passing(failure.kind))
            return _recovered(passing, move, How.REPAIRED, "try again")
        return _recovered(failure, move, How.REPAIRED, _difference(failed, move))
    things = _things(failed)
    for move in after:
        if move.failed is False and things & _things(move) and _acts(move):
            remedy = f"do it with {move.action.tool}: `{_quoted(move.action.text)}`"
            return _recovered(failure, move, How.ANOTHER_WAY, remedy)
    return Recovery(failure=failure)


def _passing(kind: FailureKind) -> FailureKind:
    return FailureKind.TRANSIENT if kind is FailureKind.MISTAKE else kind


def _recovered(failure: Failure, move: Move, how: How, remedy: str) -> Recovery:
    return Recovery(failure=failure, recovered_by=move.step_id, how=how, remedy=remedy)


def _alike(failed: Move, move: Move) -> bool:
    """Whether a later move is a new try of the same."""
    one, other = failed.action, move.action
    if one.kind is not other.kind:
        return False
    if one.path or other.path:
        return one.path == other.path
    if max(len(one.text), len(other.text)) <= _SHORT:
        matcher = SequenceMatcher(None, one.text, other.text, autojunk=False)
        return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE
    words = _WORD.findall(one.text[:_COMPARED]), _WORD.findall(other.text[:_COMPARED])
    longer = SequenceMatcher(None, *words, autojunk=False)
    return longer.quick_ratio() >= _ALIKE and longer.ratio() >= _ALIKE


def _acts(move: Move) -> bool:
    return move.action.kind in (ActionKind.RUN, ActionKind.CODE, ActionKind.WRITE, ActionKind.EDIT)


def _things(move: Move) -> set[str]:
    """The files and folders that a move is about."""
    text = f"{move.action.path} {move.action.text[:_COMPARED]}"
    return {thing.rsplit("/", 1)[-1] for thing in _THING.findall(text)} - {""}


def _difference(failed: Move, repaired: Move) -> str:
    """The words that the repair took out and put in, or the whole where most of it changed."""
    before = _WORD.findall(failed.action.text[:_COMPARED])
    after = _WORD.findall(repaired.action.text[:_COMPARED])
    gone, come = [], []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            gone += before[i1:i2]
            come += after[j1:j2]
    if not come and gone:
        return f"leave out `{_quoted(' '.join(gone))}`"
    if not come or len(come) > max(6, len(after) // 2):
        return f"do `{_quoted(repaired.action.text)}`"
    instead = f" instead of `{_quoted(' '.join(gone))}`" if gone else ""
    return f"use `{_quoted(' '.join(come))}`{instead}"


def _change(move: Move) -> str:
    """What was changed in a file before the next try went well."""
    action = move.action
    name = action.path or next(iter(changes(move)), "the file")
    if action.kind is ActionKind.EDIT and action.text:
        old, new = _replaced(action)
        if old and new:
            return (
                f"in {name} write `{_quoted(new)}` instead of `{_quoted(old)}`, then run it again"
            )
    return f"change {name}, then run it again"


def _replaced(action: Action) -> tuple[str, str]:
    """The first line that an edit or a patch took out, and what it put in."""
    if action.before:
        return _first_difference(action.before, action.text)
    lines = action.text.splitlines()
    gone = [line[1:].strip() for line in lines if line[:1] == "-" and line[:3] != "---"]
    come = [line[1:].strip() for line in lines if line[:1] == "+" and line[:3] != "+++"]
    return (gone[0], come[0]) if gone and come else ("", "")


def _first_difference(before: str, after: str) -> tuple[str, str]:
    old, new = before.strip().splitlines(), after.strip().splitlines()
    for one, other in zip(old, new, strict=False):
        if one.strip() != other.strip():
            return one.strip(), other.strip()
    longer = new[len(old) :] or [""]
    return (old[-1].strip() if old else ""), longer[0].strip()


def _quoted(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"
