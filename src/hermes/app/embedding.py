"""Which embedder is used for what."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from hermes.memory.agreed_embedder import AgreedEmbedder
    from hermes.ports import Clock, Embedder
    from hermes.records.embedder_move import EmbedderMove
    from hermes.settings import Settings
    from hermes.store.database import Database


@cache
def embedder() -> Embedder:
    """The offline model, which the rules about likeness were fitted on.

    One in a process: skills, memories and patterns share what takes 100 MB and a while to load.
    Two texts at once: what is embedded in bulk has a machine to itself.
    """
    from hermes.models.minilm import MiniLM

    return MiniLM(parallel=min(2, os.cpu_count() or 1))


def home_embedder(settings: Settings, tell: Callable[[str], None] | None = None) -> Embedder | None:
    """What memories and skills are found by: the configured endpoint, else the offline model.

    None where the model's packages are missing; `hermes doctor` says so. Nothing is asked of an
    endpoint before the first text. `tell` gets the words of each outage; else the log does.
    """
    at = settings.memory.embedder
    if at is None:
        from hermes.models.minilm import missing_packages

        return None if missing_packages() else embedder()
    from hermes.models.endpoint_embedder import Endpoint, EndpointEmbedder

    endpoint = Endpoint(
        base_url=at.base_url,
        model=at.model,
        dimensions=at.dimensions,
        key_variable=at.api_key_env,
    )
    key = settings.embedder_api_key
    return EndpointEmbedder(endpoint, key.reveal() if key else None, tell)


def agreed_embedder(
    settings: Settings, database: Database, user: str, clock: Clock
) -> AgreedEmbedder | None:
    """The same for the vectors of a store, which are one embedder's, whoever else uses it."""
    from hermes.memory.agreed_embedder import AgreedEmbedder, ThisProcess
    from hermes.store.tables.embedder_moves import EmbedderMoveTable

    chosen = home_embedder(settings)
    if chosen is None:
        return None
    process = ThisProcess(
        user=user,
        host=os.uname().nodename,
        pid=os.getpid(),
        clock=clock,
        is_running=_is_running,
    )
    moves = EmbedderMoveTable(database)
    return AgreedEmbedder(chosen, moves, database, process, _warn)


def _is_running(move: EmbedderMove) -> bool:
    """Whether the process that made a move still lives here; of another machine nobody knows."""
    if move.host != os.uname().nodename or move.pid < 1:
        return False
    try:
        os.kill(move.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's
        return True
    return True


def _warn(words: str) -> None:
    import logging

    logging.getLogger("hermes.embedder").warning("%s", words)
