"""Health checks: history that is added to and never changed."""

from __future__ import annotations

import pytest

from hermes.errors import Conflict
from hermes.records.health import HealthCheck, HealthOutcome
from hermes.records.release import Release
from hermes.testing import samples
from hermes.testing.contracts.releases import released
from hermes.testing.store import StorePorts


def _failing(live: Release) -> HealthCheck:
    return samples.health_check(
        live.skill_id, live.version_id, status=HealthOutcome.FAILING, error="späte Zeile: 1 != 2"
    )


def health_checks_come_oldest_first(ports: StorePorts) -> None:
    live = released(ports)
    healthy = samples.health_check(live.skill_id, live.version_id)
    failing = _failing(live)
    for check in (failing, healthy):
        ports.health_checks.add(check)
    assert ports.health_checks.of_skill(live.skill_id) == [healthy, failing]
    assert ports.health_checks.of_skill("skl_nothing") == []
    with pytest.raises(Conflict):
        ports.health_checks.add(failing)


def the_last_check_of_each_skill_is_its_newest(ports: StorePorts) -> None:
    assert ports.health_checks.last_of_each() == []
    one, other = released(ports), released(ports)
    released(ports)  # was never checked
    first = _failing(one)
    only = samples.health_check(other.skill_id, other.version_id)
    newest = samples.health_check(one.skill_id, one.version_id)
    for check in (newest, only, first):
        ports.health_checks.add(check)
    assert ports.health_checks.last_of_each() == [only, newest]


CHECKS = (
    health_checks_come_oldest_first,
    the_last_check_of_each_skill_is_its_newest,
)
