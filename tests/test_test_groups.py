"""Tests that share something expensive run in one process. Who loses that loses a minute a run."""

from __future__ import annotations

import os

import pytest

pytestmark = pytest.mark.xdist_group("a group")


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="one process has no groups")
def test_a_group_is_known_to_whoever_spreads_the_tests(request: pytest.FixtureRequest) -> None:
    assert request.node.nodeid.endswith("@a group")
