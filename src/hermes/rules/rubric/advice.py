"""How to word a task better: one sentence for each dimension that leaves something to say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hermes.rules.rubric.words import TaskWords

_GOOD_ENOUGH = 0.8
_SENTENCES = {
    "repeatability": (
        "say how often it comes back and what differs each time: 'every Monday', 'for each file "
        "in a folder'"
    ),
    "clarity": (
        "name the input, the steps and the result: which file or system, which columns or limits, "
        "which format, how many"
    ),
    "error_scenarios": (
        "say what may go wrong and what to do then: a file that is missing, a server that does "
        "not answer, a value out of range"
    ),
}


def advice_for(
    task: TaskWords, scores: Mapping[str, float], kinds: Sequence[str]
) -> tuple[str, ...]:
    """Weakest dimension first; nothing where nothing is weak."""
    if not task.words:
        return ("write what should be done, with what, and what should be there at the end",)
    if task.only_asks or task.makes_up:
        return (
            "this asks for words, not for work: nothing of it could be done again the same way; "
            "ask for a result that a tool can make and a check can test",
        )
    weak = sorted((score, name) for name, score in scores.items() if score < _GOOD_ENOUGH)
    return tuple(
        _tools(kinds) if name == "tool_diversity" else _SENTENCES[name] for _, name in weak
    )


def _tools(kinds: Sequence[str]) -> str:
    known = f"it names work for {', '.join(kinds)} only" if kinds else "it names no tool's work"
    return f"{known}: say where the data comes from, what is computed, and who gets the result"
