"""Real HTTP servers that answer as they were told, in the wire formats of two providers.

What a provider does on a bad day is part of the script: refuse, hang, break off, send rubbish.
"""

from hermes.testing.model_servers.replies import (
    BreaksOff,
    Calls,
    Fails,
    Garbage,
    Hangs,
    Reply,
    Says,
    Usage,
)
from hermes.testing.model_servers.server import ScriptedServer, anthropic_server, openai_server

__all__ = [
    "BreaksOff",
    "Calls",
    "Fails",
    "Garbage",
    "Hangs",
    "Reply",
    "Says",
    "ScriptedServer",
    "Usage",
    "anthropic_server",
    "openai_server",
]
