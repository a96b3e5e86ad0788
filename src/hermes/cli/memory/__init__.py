"""`hermes memory`: what is remembered, found again, allowed and forgotten."""

from __future__ import annotations

from hermes.cli.group import Group

COMMAND = Group(
    __name__,
    {
        "adding": "add",
        "finding": "search",
        "listing": "list show",
        "approving": "approve",
        "forgetting": "forget",
        "consolidating": "consolidate",
        "counting": "stats upkeep reembed",
        "moving": "export import",
    },
)
