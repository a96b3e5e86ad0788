"""The product's store keeps the contract that is shipped for every store."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hermes.testing.contracts import STORE_CONTRACT
from hermes.testing.store import StorePorts


@pytest.mark.parametrize("check", STORE_CONTRACT, ids=lambda check: check.__name__)
def test_store_contract(check: Callable[[StorePorts], None], ports: StorePorts) -> None:
    check(ports)
