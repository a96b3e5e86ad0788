"""Grant: a host that a skill may reach when it is run, and who allowed it."""

from __future__ import annotations

from dataclasses import dataclass

from hermes.records.approval import Approval


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """One host (`host` or `host:port`) for the version that was live when somebody allowed it.

    `revoked` is who took it back. A grant is never deleted: what a skill could once reach is part
    of its history.
    """

    id: str
    skill_id: str
    version_id: str
    host: str
    approval: Approval
    revoked: Approval | None = None
