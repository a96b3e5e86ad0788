"""`hermes skills`: read the library, say why it is as it is, and act on it."""

from __future__ import annotations

from hermes.cli.skills import acting, checking, health, history, listing, showing, why

COMMAND = {
    **listing.COMMANDS,
    **showing.COMMANDS,
    **history.COMMANDS,
    **why.COMMANDS,
    **acting.COMMANDS,
    **checking.COMMANDS,
    **health.COMMANDS,
}
