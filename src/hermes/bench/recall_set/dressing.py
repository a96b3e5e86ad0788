"""How a fact is put when somebody writes it down: no two people say a thing the same way."""

from __future__ import annotations

from random import Random

from hermes.records.memory import MemoryKind

_OPENINGS = {
    MemoryKind.SEMANTIC: (
        "Note: ", "Rule: ", "Remember, ", "For the record: ", "As agreed, ", "House rule. ",
        "FYI: ", "From the wiki: ", "Learned the hard way: ", "Keep in mind: ", "TIL ",
    ),
    MemoryKind.EPISODIC: (
        "Stand-up: ", "From the channel: ", "Session note: ", "Done: ", "Log entry. ",
        "What happened: ", "Summary of the thread: ", "End of day: ", "From the call: ",
    ),
    MemoryKind.DECLARATIVE: ("", "Installed. ", "Available here: "),
}  # fmt: skip
_AFTERTHOUGHTS = (
    "Nothing else to do for now.",
    "If in doubt, ask in the channel first.",
    "I checked it twice on a quiet machine.",
    "Someone should tell the support people as well.",
    "This replaced what the old handbook says.",
    "The first attempt was wrong, do not copy it from the history.",
    "Took longer than expected, mostly waiting.",
    "Screens and numbers are attached to the ticket.",
    "Looks odd, is intended.",
    "We talked about it at length and nobody had a better idea.",
    "It only shows up under load, so small tests will not tell.",
    "Ask again in a quarter whether this still makes sense.",
)
_TRACES = (
    "Steps taken: read the last deploy log, compared two config files, restarted one node, looked "
    "at the graphs for ten minutes.",
    "Commands: kubectl get events --sort-by=.lastTimestamp; git log -5 --oneline; make check.",
    "Tool output was long; the relevant part was near the end, the rest were warnings about "
    "deprecated options.",
    "Two wrong guesses first: a full disk (it was not) and a stale session (neither).",
    "The assistant opened four files, ran the tests three times and asked once for access.",
)


def dressed(sentence: str, kind: MemoryKind, tails: tuple[str, ...], draw: Random) -> str:
    """The sentence with what people put around it; about a third stays bare."""
    if draw.random() < 0.35:
        return sentence
    parts = [sentence]
    if draw.random() < 0.45:
        opening = draw.choice(_OPENINGS[kind])
        parts[0] = opening + sentence
    if tails and draw.random() < 0.5:
        parts.append(draw.choice(tails))
    if draw.random() < 0.3:
        parts.insert(draw.choice((0, len(parts))), draw.choice(_AFTERTHOUGHTS))
    if kind is MemoryKind.EPISODIC and draw.random() < 0.2:
        parts.append(draw.choice(_TRACES))
    return " ".join(parts)
