"""Users."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.errors import Conflict, NotFound
from hermes.records.scope import Role
from hermes.testing import samples
from hermes.testing.store import StorePorts


def a_user_is_known_by_name(ports: StorePorts) -> None:
    ana, bob = samples.user("ana", token_hash="0" * 64), samples.user("bob")
    ports.users.add(bob)
    ports.users.add(ana)
    assert ports.users.named("ana") == ana
    assert ports.users.named("Ana") is None
    assert ports.users.all() == [ana, bob]
    with pytest.raises(Conflict):
        ports.users.add(samples.user("ana"))


def a_user_is_revoked(ports: StorePorts) -> None:
    ana = samples.user("ana")
    ports.users.add(ana)
    revoked = replace(ana, role=Role.VIEWER, revoked_at=samples.LATER)
    ports.users.replace(revoked)
    assert ports.users.named("ana") == revoked
    with pytest.raises(NotFound):
        ports.users.replace(samples.user("ana"))


CHECKS = (
    a_user_is_known_by_name,
    a_user_is_revoked,
)
