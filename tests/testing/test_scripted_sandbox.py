"""The double keeps a record and fails on what was not asked for."""

from __future__ import annotations

import pytest

from hermes.records.sandbox import SandboxPolicy
from hermes.testing.sandbox.double import SUCCESS, ScriptedSandbox


def policy(sandbox: ScriptedSandbox) -> SandboxPolicy:
    with sandbox.scratch() as place:
        return SandboxPolicy.trial(skills=place.skills, data=place.data)


def test_results_come_in_order_and_runs_are_kept() -> None:
    with ScriptedSandbox([SUCCESS]) as sandbox:
        assert sandbox.run(["true"], policy(sandbox), stdin=b"x") is SUCCESS
    assert sandbox.runs[0].argv == ("true",)
    assert sandbox.runs[0].stdin == b"x"


def test_an_unused_result_fails() -> None:
    with pytest.raises(AssertionError, match="never asked for"), ScriptedSandbox([SUCCESS]):
        pass


def test_one_run_too_many_fails() -> None:
    sandbox = ScriptedSandbox([])
    with pytest.raises(AssertionError, match="no result is left"):
        sandbox.run(["true"], policy(sandbox))
