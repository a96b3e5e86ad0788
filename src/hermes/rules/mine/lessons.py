"""Pitfalls, guardrails and checks: what the examples learned the hard way, with their evidence.

A pitfall is an error together with the change that recovered from it, a guardrail is what a user
corrected. Both come from the agent's own calls and the user's own words, never from what a tool
printed.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hermes.records.candidate import StepRef
from hermes.records.procedure import Lesson, Support
from hermes.rules.actions.action import ActionKind
from hermes.rules.actions.moves import Move
from hermes.rules.mine.deed import Deed, DeedKind, Done
from hermes.rules.mine.deeds import went_wrong
from hermes.rules.mine.exploring import installed_by, is_test, only_asks
from hermes.rules.mine.failures import is_transient, told
from hermes.rules.mine.files_made import FilesMade
from hermes.rules.mine.likeness import likeness
from hermes.rules.mine.program_call import program_call
from hermes.rules.mine.shell_text import Heredoc, pieces
from hermes.rules.mine.worked import Worked
from hermes.rules.similarity.tokens import tokens

Generalise = Callable[[int, str], str]
"""An example's text with its own values replaced by `{name}`."""

_SAME_TRY = 0.4
_SAME_WORDS = 0.6
_MOST_LINES = 3
_LONGEST = 240
_OPENING = re.compile(
    r"^(?:no|nope|wait|hmm|actually|sorry|ok|okay|well|but|please|not quite|that'?s (?:wrong|not "
    r"right|not what i (?:asked|wanted|meant)(?: for)?))\b[\s,.:;!–-]*",
    re.IGNORECASE,
)
_MEANT = re.compile(r"^i (?:meant|wanted|asked for|asked you to|said|need(?:ed)?)\b\s*", re.I)


@dataclass(slots=True)
class _Found:
    """A lesson while its evidence is gathered."""

    text: str
    remedy: str
    steps: dict[int, list[int]]


def pitfalls(examples: Sequence[Worked], generalise: Generalise) -> tuple[Lesson, ...]:
    """Errors that were recovered from, the most frequent first."""
    found: list[_Found] = []
    for at, worked in enumerate(examples):
        for text, remedy, steps in _recoveries(worked):
            _gather(found, at, text, generalise(at, remedy), steps, same=_same_pitfall)
    return _lessons(found, examples)


def guardrails(examples: Sequence[Worked], generalise: Generalise) -> tuple[Lesson, ...]:
    """What users corrected, in their words, as an instruction."""
    found: list[_Found] = []
    for at, worked in enumerate(examples):
        for step_id, words in worked.corrections:
            text = generalise(at, _as_instruction(words))
            if text:
                _gather(found, at, text, "", [step_id], same=_same_words)
    return _lessons(found, examples)


def checks(
    examples: Sequence[Worked], done: Sequence[Done], generalise: Generalise
) -> tuple[Lesson, ...]:
    """Commands that passed after the work was done."""
    found: list[_Found] = []
    for at, one in enumerate(done):
        for deed in one.checks:
            text = _check(generalise(at, deed.text.strip()), deed)
            if text:
                _gather(found, at, text, "", list(deed.steps), same=_same_text)
    return _lessons(found, examples)


def _check(command: str, deed: Deed) -> str:
    if "\n" in command or len(command) > _LONGEST:
        return ""
    if is_test(deed.text):
        return f"`{command}` ends without an error."
    return f"`{command}` shows what was asked for." if deed.kind is DeedKind.SHELL else ""


@dataclass(frozen=True, slots=True)
class _Try:
    """One run with the program text it had at that moment."""

    move: Move
    text: str

    def deed(self) -> Deed:
        return Deed(kind=DeedKind.SHELL, tool="", text=self.text, steps=(self.move.step_id,))


def _tries(worked: Worked) -> Iterator[_Try]:
    files = FilesMade()
    for move in worked.moves:
        action = move.action
        if action.kind is ActionKind.CODE:
            yield _Try(move, action.text)
        elif action.kind is ActionKind.RUN:
            text = action.text
            for piece in pieces(text):
                if isinstance(piece, Heredoc):
                    text = piece.body
                    path = re.fullmatch(r"cat > (\S+)", piece.command)
                    if path:
                        files.put(path[1], piece.body, move.step_id)
                elif (call := program_call(piece)) is not None:
                    text = call.code or files.get(call.path) or text
            yield _Try(move, text)
        elif not went_wrong(move):
            files.note(action, move.step_id)


def _recoveries(worked: Worked) -> Iterator[tuple[str, str, list[int]]]:
    """(what went wrong, what fixed it, the steps of both)."""
    tries = list(_tries(worked))
    for at, failed in enumerate(tries):
        output = failed.move.output or ""
        text = told(output)
        if not went_wrong(failed.move) or not text or is_transient(output):
            continue
        between: list[_Try] = []
        for later in tries[at + 1 :]:
            if went_wrong(later.move):
                continue
            if likeness(failed.deed(), later.deed()) >= _SAME_TRY:
                remedy = _remedy(failed.text, later.text, between)
                if remedy:
                    yield text, remedy, [failed.move.step_id, later.move.step_id]
                break
            between.append(later)


def _remedy(before: str, after: str, between: Sequence[_Try]) -> str:
    """What was different when it worked; empty where nothing was."""
    packages = [name for one in between for name in installed_by(one.text) or ()]
    if packages:
        return f"Install {', '.join(f'`{name}`' for name in packages)} first."
    if before.strip() == after.strip():
        acts = [one.text.strip() for one in between if not only_asks(one.text)]
        return f"Run `{acts[-1]}` first." if acts and "\n" not in acts[-1] else ""
    first = _commands(after, without=before)
    if first:
        return f"Run {_quoted(first)} first."
    lines = difflib.ndiff(before.strip().split("\n"), after.strip().split("\n"))
    changed = [line for line in lines if line[:2] in ("- ", "+ ") and line[2:].strip()]
    new = [line[2:].strip() for line in changed if line[0] == "+"][:_MOST_LINES]
    old = [line[2:].strip() for line in changed if line[0] == "-"][:_MOST_LINES]
    new = [line for line in new if not line.startswith("#")]
    if not new:
        return f"Leave out {_quoted(old)}." if old else ""
    instead = f" instead of {_quoted(old)}" if len(old) == len(new) == 1 else ""
    return f"Use {_quoted(new)}{instead}."


def _commands(after: str, *, without: str) -> list[str]:
    """What was put before commands that stayed as they were."""
    old, new = pieces(without), pieces(after)
    if len(new) <= len(old) or new[len(new) - len(old) :] != old:
        return []
    return [piece for piece in new[: len(new) - len(old)] if isinstance(piece, str)]


def _quoted(lines: Sequence[str]) -> str:
    return ", ".join(f"`{line[:_LONGEST]}`" for line in lines)


def _as_instruction(words: str) -> str:
    """The first sentence that says what to do, without how the user led up to it."""
    text = " ".join(words.split())
    wanted = ""
    for _ in range(4):
        shorter = _OPENING.sub("", text)
        if _MEANT.match(shorter):
            shorter, wanted = _MEANT.sub("", shorter), "What is wanted: "
        if shorter == text:
            break
        text = shorter
    text = re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0].strip(" ,;:-")
    if len(tokens(text)) < (1 if wanted else 2):
        return ""
    text = f"{wanted}{text}"
    text = text[:_LONGEST].rstrip(".!") + "."
    return text[:1].upper() + text[1:]


def _gather(
    found: list[_Found],
    example: int,
    text: str,
    remedy: str,
    steps: Sequence[int],
    *,
    same: Callable[[_Found, str, str], bool],
) -> None:
    for one in found:
        if same(one, text, remedy):
            one.steps.setdefault(example, []).extend(steps)
            return
    found.append(_Found(text, remedy, {example: list(steps)}))


def _same_pitfall(one: _Found, text: str, remedy: str) -> bool:
    return one.text == text and _overlap(one.remedy, remedy) >= _SAME_WORDS


def _same_words(one: _Found, text: str, remedy: str) -> bool:
    return _overlap(one.text, text) >= _SAME_WORDS


def _same_text(one: _Found, text: str, remedy: str) -> bool:
    return one.text == text


def _overlap(one: str, other: str) -> float:
    left, right = set(tokens(one)), set(tokens(other))
    return 2 * len(left & right) / (len(left) + len(right)) if left or right else 1.0


def _lessons(found: Sequence[_Found], examples: Sequence[Worked]) -> tuple[Lesson, ...]:
    ordered = sorted(found, key=lambda one: -len(one.steps))
    return tuple(
        Lesson(text=one.text, remedy=one.remedy, support=support_of(one.steps, examples))
        for one in ordered
    )


def support_of(steps: dict[int, list[int]], examples: Sequence[Worked]) -> Support:
    """`steps` are step ids by example."""
    refs = [
        StepRef(trajectory_id=examples[at].trajectory_id, step_id=step_id)
        for at in sorted(steps)
        for step_id in dict.fromkeys(steps[at])
    ]
    return Support(examples=len(steps), of=len(examples), steps=tuple(refs))
