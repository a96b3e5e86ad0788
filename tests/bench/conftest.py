"""What is measured on PostgreSQL is tested on a real one."""

from __future__ import annotations

from hermes.testing.fixtures import *  # noqa: F403
