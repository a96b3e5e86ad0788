"""Whatever is killed here is killed in memory: no disk is waited for."""

from __future__ import annotations

from hermes.testing.in_memory import *  # noqa: F403
