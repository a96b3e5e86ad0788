"""Earlier requests beside a tool: the ones most like the present one."""

from __future__ import annotations

from hermes.rules.nearest_requests import nearest_requests

EARLIER = ["Sum the sales by month", "Count the errors per endpoint", "Sum ticket sales by week"]


def test_the_nearest_come_first_and_none_is_lost() -> None:
    found = nearest_requests("count errors per endpoint in billing.log", EARLIER)
    assert found[0] == EARLIER[1]
    assert sorted(found) == sorted(EARLIER)


def test_where_nothing_is_shared_the_order_stays() -> None:
    assert nearest_requests("", EARLIER) == EARLIER
    assert nearest_requests("völlig anderes", EARLIER) == EARLIER
