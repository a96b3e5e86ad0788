"""Logs of finished work become drafts, each proven on the very runs it was learned from."""

from __future__ import annotations

from pathlib import Path

from hermes.cli.demo.narrator import Narrator

LOGS = Path(__file__).parent / "logs"
SOURCES = ("claude-code", "codex")


def chapter(narrator: Narrator, number: int) -> None:
    narrator.chapter(
        number,
        "Sixteen sessions of other agents become two skills",
        "The logs are of Claude Code and Codex: real runs of real tools on small files. Twelve of "
        "them did two things over and over, in other words and on other files; four are one-offs. "
        "No model is asked. What the runs share is mined, and each run is done again in the "
        "sandbox by what the others teach.",
    )
    narrator.hermes("learn", *(str(LOGS / source) for source in SOURCES))
    with narrator.open() as home:
        waiting = home.ledger.candidates.awaiting()
        verdicts = [home.ledger.verdicts.of_candidate(one.id)[-1] for one in waiting]
        examples = [one.evidence.example_ids for one in waiting]
    narrator.claim("two patterns were found, and each became a draft", len(waiting) == 2)
    narrator.claim("the four one-offs are in neither", [len(one) for one in examples] == [6, 6])
    narrator.claim(
        "every run was reproduced, file by file, by what the other runs teach",
        bool(verdicts) and all(one.scores.after == 1.0 for one in verdicts),
    )
    narrator.claim("nothing is live yet: a person decides", not _live(narrator))
    narrator.hermes("learn", *(str(LOGS / source) for source in SOURCES))
    with narrator.open() as home:
        same = home.ledger.candidates.awaiting() == waiting
    narrator.claim("the same logs again teach nothing new", same)


def _live(narrator: Narrator) -> bool:
    return narrator.skills.exists() and any(narrator.skills.glob("*/SKILL.md"))
