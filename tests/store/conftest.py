"""Every test here that asks for `database` or `ports` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("hermes.testing.contracts")

from hermes.testing.fixtures import *  # noqa: E402, F403
from hermes.testing.in_memory import *  # noqa: E402, F403
