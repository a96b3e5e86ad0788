"""What a run leaves in memory: what was asked, how it ended, what went wrong and what helped.

A request may quote a page, and an error prints what a program was fed. Of what reads as an
instruction a few words are kept to find the run by; a run is remembered for what happened, and
tells nobody what to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from hermes.records.memory import MemoryKind
from hermes.rules.observing.recovery import Recovery
from hermes.rules.remembering.instructions import instruction_in
from hermes.rules.similarity.tokens import tokens

LONGEST = 700
_REQUEST_SHOWN = 220
_REMEDY_SHOWN = 140
_LINE_SHOWN = 110
_LINE_WORDS = 14
_MOST_ERRORS = 3
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")
_RAISED = re.compile(r"^(?:\w+\.)*\w*(?:Error|Exception)\b.*|^.*\bE[A-Z]{4,}\b.*", re.MULTILINE)
_ADDRESS = re.compile(r"://|www\.|@")
_TOPIC = re.compile(r"[^\W\d_][\w.-]*\w")
_MOST_TOPICS = 8
_UNQUOTED = "(what reads as an instruction is not quoted)"
_TOLD = (
    (re.compile(r"\Ause "), "using "),
    (re.compile(r"\Aleave out "), "leaving out "),
    (re.compile(r"\Ado "), "doing "),
    (re.compile(r"\Achange "), "changing "),
    (re.compile(r"\Atry "), "trying "),
    (re.compile(r"\Ain (\S+) write "), r"writing in \1 "),
    (re.compile(r", then run it again\Z"), ", then running it again"),
)
"""A remedy is an order to whoever works; in memory it is what somebody did."""

Shown = Callable[[str], str]
"""Redacts a text."""


def episode_text(
    request: str,
    ending: str,
    failures: Sequence[tuple[Recovery, str]],
    corrections: Sequence[str],
    shown: Shown,
) -> str:
    """A few hundred characters. `failures` come with what each printed; `ending` is ours."""
    parts = [f'Run: asked "{harmless(shown(request), _REQUEST_SHOWN)}"; {ending}.']
    told = {one.failure.key: (one, output) for one, output in failures}
    parts += [_failure(one, output, shown) for one, output in list(told.values())[:_MOST_ERRORS]]
    if len(told) > _MOST_ERRORS:
        parts.append(f"{len(told) - _MOST_ERRORS} other errors.")
    parts += [
        f'Corrected by the user: "{harmless(shown(one), _REMEDY_SHOWN)}".' for one in corrections
    ]
    return _cut(" ".join(parts), LONGEST)


def harmless(text: str, most: int) -> str:
    """The sentences that order nothing as they are; of the others only what they are about."""
    kept = []
    for sentence in _BETWEEN_SENTENCES.split(text[: 2 * most]):
        piece = " ".join(sentence.split())
        if instruction_in(piece, MemoryKind.EPISODIC):
            piece = _topics(piece)
        if piece:
            kept.append(piece)
    return _cut(" ".join(kept), most).replace('"', "'")


def _topics(sentence: str) -> str:
    """A few of its words, which order nobody: to find the run by, not to act on."""
    plain = " ".join(part for part in sentence.split() if not _ADDRESS.search(part))
    named = [word for word in _TOPIC.findall(plain) if tokens(word)]
    about = f"(it was about {', '.join(list(dict.fromkeys(named))[:_MOST_TOPICS])})"
    quotable = bool(named) and not instruction_in(about, MemoryKind.EPISODIC)
    return about if quotable else _UNQUOTED


def error_line(output: str) -> str:
    """The line in which a program names its error; empty where it says more than that.

    A line of many words, with an address or an order in it, may have been written to be read.
    """
    lines = _RAISED.findall(output[-20_000:])
    line = " ".join(lines[-1].split()) if lines else ""
    wordy = len(line) > _LINE_SHOWN or len(line.split()) > _LINE_WORDS
    if not line or wordy or _ADDRESS.search(line) or instruction_in(line, MemoryKind.SEMANTIC):
        return ""
    return line


def _failure(one: Recovery, output: str, shown: Shown) -> str:
    problem = one.failure.problem.rstrip(".")
    line = shown(error_line(output))
    printed = f' "{line}"' if line else ""
    remedy = _cut(" ".join(shown(_as_told(one.remedy)).split()), _REMEDY_SHOWN)
    if one.recovered_by is None or instruction_in(remedy, MemoryKind.EPISODIC):
        helped = "nothing helped" if one.recovered_by is None else "overcome"
    else:
        helped = f"what helped: {remedy}"
    return f"{one.failure.subject} failed: {problem}{printed}; {helped}."


def _as_told(remedy: str) -> str:
    for order, told in _TOLD:
        remedy = order.sub(told, remedy)
    return remedy


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
