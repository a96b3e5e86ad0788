"""`hermes skills`: read the library, say why it is as it is, and act on it."""

from __future__ import annotations

from hermes.cli.group import Group

COMMAND = Group(
    __name__,
    {
        "listing": "list search",
        "showing": "show",
        "history": "history diff",
        "why": "why",
        "acting": "rollback pin unpin archive restore disable enable",
        "granting": "grant revoke",
        "checking": "validate scan",
        "health": "health",
        "running": "run",
        "proving": "prove",
    },
)
