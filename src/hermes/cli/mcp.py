"""`hermes mcp`: memory for other agents, over standard input and output."""

from __future__ import annotations

from pathlib import Path

from hermes.cli.command import Call, Command
from hermes.cli.crash import reporter

_THREADS = 4


def _run(call: Call) -> None:
    settings = call.settings  # a broken config.yaml is told before anything is loaded
    from hermes.app.warm_memory import WarmMemory
    from hermes.mcp.serving import serve

    serve(WarmMemory(settings, Path.cwd(), threads=_THREADS), crashed=reporter(call, "mcp"))


COMMAND = Command(run=_run)
