"""The backend `none`: never for a trial, and honest about itself."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes.errors import SandboxUnavailable
from hermes.records.sandbox import KilledBy, Limits, SandboxPolicy
from hermes.sandbox.host import Host


@pytest.fixture
def policy(tmp_path: Path) -> SandboxPolicy:
    project = tmp_path / "project"
    project.mkdir()
    return SandboxPolicy.workspace(
        project=str(project), limits=Limits(seconds=20.0), environment={"A": "b"}
    )


@pytest.mark.parametrize("make", [SandboxPolicy.trial, SandboxPolicy.running])
def test_a_trial_and_a_skill_that_is_run_are_refused(
    tmp_path: Path, make: Callable[..., SandboxPolicy]
) -> None:
    policy = make(skills=str(tmp_path), data=str(tmp_path))
    with pytest.raises(SandboxUnavailable, match="in isolation or not at all"):
        Host({}).run(["true"], policy)


def test_every_run_says_that_nothing_isolates_it(
    policy: SandboxPolicy, caplog: pytest.LogCaptureFixture
) -> None:
    code = "import os, sys; print(os.environ['A'], sys.stdin.read(), len(os.environ))"
    with caplog.at_level(logging.WARNING):
        result = Host({"B": "c"}).run([sys.executable, "-c", code], policy, stdin=b"hi")
    assert not result.isolated
    assert result.backend == "none"
    assert "no sandbox" in caplog.text
    assert result.stdout_text.startswith("b hi ")


def test_time_and_output_are_bounded(policy: SandboxPolicy) -> None:
    short = policy.within(Limits(seconds=0.5, output_bytes=10))
    result = Host({}).run(["/bin/sh", "-c", "echo 1234567890123; sleep 30 & sleep 30"], short)
    assert result.killed_by is KilledBy.TIME
    assert result.exit_code == 137
    assert result.stdout == b"1234567890"
    assert result.stdout_truncated
    assert result.seconds < 5


def test_exit_codes(policy: SandboxPolicy) -> None:
    assert Host({}).run(["/bin/sh", "-c", "exit 3"], policy).exit_code == 3
    assert Host({}).run(["/bin/sh", "-c", "kill -15 $$"], policy).exit_code == 143
