"""The figures of the sandbox are taken from real runs, and a broken sandbox gives none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes.bench.sandbox import many_trials, start_cost
from hermes.testing.sandbox.double import SUCCESS, ScriptedSandbox


def test_starts_are_counted_in_pairs() -> None:
    with ScriptedSandbox([SUCCESS] * 4) as sandbox:
        cost = start_cost(sandbox, rounds=3)
    assert cost.backend == "scripted"
    assert cost.bare_ms > 0
    assert cost.times_bare == cost.sandboxed_ms / cost.bare_ms


def test_every_trial_is_run_in_folders_of_its_own() -> None:
    with ScriptedSandbox([SUCCESS] * 6) as sandbox:
        assert many_trials(sandbox, count=5, workers=2) > 0
    folders = {run.policy.mounts[0].source for run in sandbox.runs}
    assert len(folders) == 6


def test_a_failed_run_is_no_figure() -> None:
    broken = replace(SUCCESS, exit_code=1, stderr=b"no python")
    with pytest.raises(RuntimeError, match="no python"):
        start_cost(ScriptedSandbox([broken]))
