"""A grant to fill a store with, apart from the other samples, which fill their file."""

from __future__ import annotations

from typing import Any

from hermes.ids import new_id
from hermes.records.grant import Grant
from hermes.testing.samples import APPROVAL


def sample_grant(skill_id: str, version_id: str, **fields: Any) -> Grant:
    values: dict[str, Any] = {
        "id": new_id("grt"),
        "skill_id": skill_id,
        "version_id": version_id,
        "host": "api.example.com",
        "approval": APPROVAL,
    }
    return Grant(**values | fields)
