"""The choice of a backend: the strongest that works, never silently none."""

from __future__ import annotations

import pytest

from hermes.errors import ConfigError, SandboxUnavailable
from hermes.sandbox.bubblewrap import Bubblewrap
from hermes.sandbox.host import Host
from hermes.sandbox.select import OnFirstUse, Options, choose, survey

NO_ENGINE = {"DOCKER_HOST": "unix:///nowhere/docker.sock"}


def test_auto_takes_the_strongest(bubblewrap: Bubblewrap) -> None:
    assert choose(Options(environment=NO_ENGINE)).name == "bubblewrap"


def test_where_nothing_works_nothing_runs() -> None:
    with pytest.raises(SandboxUnavailable, match="nothing would isolate it") as caught:
        choose(Options(backend="docker", environment=NO_ENGINE))
    assert "docker" in str(caught.value)
    assert caught.value.hint


def test_none_is_chosen_by_hand_only() -> None:
    assert isinstance(choose(Options(backend="none", environment={})), Host)


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(ConfigError, match="bubblewrap"):
        Options(backend="chroot", environment={})


def test_doctor_hears_about_every_backend(bubblewrap: Bubblewrap) -> None:
    facts = {fact.name: fact for fact in survey(Options(environment=NO_ENGINE))}
    assert facts["bubblewrap"].works
    assert "limits by" in facts["bubblewrap"].detail
    assert not facts["docker"].works
    assert facts["docker"].advice


def test_a_command_that_runs_nothing_does_not_choose() -> None:
    sandbox = OnFirstUse(Options(backend="docker", environment=NO_ENGINE))
    with pytest.raises(SandboxUnavailable):
        _ = sandbox.name
