"""The skills of the demo, as an agent or a person would write them."""

from __future__ import annotations

from collections.abc import Iterator

TIDY_CSV = """\
---
name: tidy-csv
description: Trims cells, drops empty rows and sorts a CSV file. Use when an export is untidy.
---
# Tidy a CSV file

1. Read it with Python's csv module; never split on commas yourself.
2. Strip every cell and drop the rows that are empty.
3. Sort by the first column and keep the header on top.
"""

RELEASE_NOTES = """\
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a version is about to ship.
---
# Release notes

1. List what was merged since the last tag.
2. Group it by what a user notices: new, changed, fixed.
3. Name the people who did it.
"""

_PLACES = (
    *("billing", "invoices", "search", "login", "checkout", "mail", "reports", "uploads"),
    *("backups", "metrics", "alerts", "calendar", "payroll", "inventory", "shipping", "support"),
    *("contracts", "surveys", "archive", "mobile"),
)
_ACTS = {
    "restart": "Restarts the {} service in the right order. Use when {} hangs after a deploy.",
    "measure": "Measures how long {} takes and where. Use when {} is slower than last week.",
    "migrate": "Moves {} to the next schema, step by step. Use when {} gets a new version.",
    "explain": "Explains how {} works to a new colleague. Use when somebody asks about {}.",
    "audit": "Lists who may do what in {}. Use when access to {} is reviewed.",
    "seed": "Fills {} with harmless sample data. Use when {} needs a test environment.",
    "export": "Writes everything in {} to plain files. Use when a customer leaves {}.",
    "watch": "Sets sensible alarms for {}. Use when {} goes to production.",
    "trim": "Removes what is outdated from {}. Use when {} has grown too large.",
    "compare": "Compares {} before and after a change. Use when {} was altered by hand.",
}


def library() -> Iterator[tuple[str, str]]:
    """Two hundred small skills, as (name, SKILL.md)."""
    for place in _PLACES:
        for act, description in _ACTS.items():
            name = f"{act}-{place}"
            told = description.format(place, place)
            yield name, f"---\nname: {name}\ndescription: {told}\n---\n# {name}\n\nFollow it.\n"
