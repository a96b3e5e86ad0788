"""Grants: added, taken back, and never gone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.errors import Conflict
from hermes.testing import samples
from hermes.testing.contracts.releases import released
from hermes.testing.grants import sample_grant
from hermes.testing.store import StorePorts


def a_grant_that_is_taken_back_stays(ports: StorePorts) -> None:
    live = released(ports)
    first = sample_grant(live.skill_id, live.version_id)
    second = sample_grant(live.skill_id, live.version_id, host="git.example.com:8443")
    for grant in (second, first):
        ports.grants.add(grant)
    with pytest.raises(Conflict):
        ports.grants.add(first)
    revoked = replace(first, revoked=samples.APPROVAL)
    ports.grants.replace(revoked)
    assert ports.grants.of_skill(live.skill_id) == [revoked, second]
    assert ports.grants.of_skill("skl_nothing") == []


CHECKS = (a_grant_that_is_taken_back_stays,)
