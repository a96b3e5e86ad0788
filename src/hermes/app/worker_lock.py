"""One worker in a home: the lock that says so, held as long as its process works."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hermes.agent.ownership import lock_file
from hermes.errors import Refused

if TYPE_CHECKING:
    from hermes.settings import Settings

_LOCK = "worker.lock"


@contextmanager
def alone(settings: Settings, *, until_idle: bool) -> Iterator[bool]:
    """Whether this is the only worker of the home.

    On PostgreSQL there may be any number that stay; of those that end when they are idle, one in a
    home is enough.
    """
    if settings.database_url is not None and not until_idle:
        yield True
        return
    descriptor = lock_file(settings.paths.data_dir / _LOCK)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


@contextmanager
def new_queue(settings: Settings) -> Iterator[None]:
    """While the database is replaced: no worker of this home, and afterwards none of the jobs of
    its earlier past. The queue is made anew from what waits in the new outbox."""
    with alone(settings, until_idle=True) as mine:
        if not mine:
            raise Refused("a worker is at work in this home", hint="wait for it, or end it first")
        yield
        settings.paths.jobs_file.unlink(missing_ok=True)
