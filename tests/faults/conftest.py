"""Disks and servers fail here by a seam or a mount; the rest of the time nobody waits for one."""

from __future__ import annotations

from hermes.testing.in_memory import *  # noqa: F403
