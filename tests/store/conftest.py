"""Every test here that asks for `database` or `ports` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

from hermes.testing.fixtures import *  # noqa: F403
from hermes.testing.in_memory import *  # noqa: F403
