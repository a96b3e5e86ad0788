"""What else is asked on such days, once and never again: nothing here is worth a skill."""

from __future__ import annotations

from datetime import UTC, datetime

from demo_logs.scenario import (
    Agent,
    Asks,
    CodexShell,
    Edits,
    Reads,
    Runs,
    Says,
    Scenario,
)


def _at(month: int, day: int, hour: int, minute: int) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


_REGEX = Scenario(
    name="explain-regex",
    agent=Agent.CLAUDE_CODE,
    cwd="/home/mira/projects/shop-api",
    started=_at(2, 20, 11, 2),
    acts=(
        Asks(r"What does ^(?=.*\d)[a-z\d]{8,}$ match?"),
        Says(
            "At least eight characters, all of them lower-case letters or digits, and at least one "
            "digit: the part in `(?=…)` looks ahead for it without consuming anything."
        ),
    ),
)

_RENAME = Scenario(
    name="rename-notes",
    agent=Agent.CODEX,
    cwd="/home/mira/notes",
    started=_at(3, 6, 12, 45),
    files={"untitled.txt": "call_notes.txt"},
    shell=CodexShell.LINE,
    acts=(
        Asks("rename untitled.txt to supplier-call.txt"),
        Runs("mv untitled.txt supplier-call.txt && ls"),
        Says("Renamed."),
    ),
)

_TYPO = Scenario(
    name="fix-typo",
    agent=Agent.CLAUDE_CODE,
    cwd="/home/mira/projects/handbook",
    started=_at(3, 10, 10, 10),
    files={"README.md": "handbook_readme.md"},
    acts=(
        Asks("There's a typo in the holidays part of the README, can you fix it?"),
        Reads("README.md"),
        Edits(
            "README.md",
            "then enter the days in the calender.\n",
            "then enter the days in the calendar.\n",
        ),
        Runs("grep -n calendar README.md", "Check the spelling"),
        Says("Fixed: `calender` is now `calendar`."),
    ),
)

_LEAP = Scenario(
    name="leap-year",
    agent=Agent.CODEX,
    cwd="/home/mira",
    started=_at(2, 27, 17, 50),
    shell=CodexShell.TERMINAL,
    acts=(
        Asks("Is 2100 a leap year?"),
        Runs('python3 -c "import calendar; print(calendar.isleap(2100))"'),
        Says("No. Years divisible by 100 are leap years only when 400 divides them too."),
    ),
)

ONE_OFFS = (_REGEX, _RENAME, _TYPO, _LEAP)
