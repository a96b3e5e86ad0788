"""Skill folders in memory: thousands of synced writes wait for no disk."""

from __future__ import annotations

from hermes.testing.in_memory import *  # noqa: F403
