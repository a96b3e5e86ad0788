"""What a request is about stays when its parameters go."""

from __future__ import annotations

import pytest

from hermes.rules.clustering.masking import masked, masked_but_kinds


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("please remove duplicates from data/jan.csv", "remove duplicates from"),
        ("bump requests to v2.32.1", "bump requests to"),
        ("report for 2024-05-01, top 10 rows", "report for , top rows"),
        ('rename column "Order Date" in <path_1>', "rename column in"),
        ("jan.csv", "jan.csv"),
        ("", ""),
    ],
)
def test_parameters_and_courtesy_go(text: str, bare: str) -> None:
    assert masked(text) == bare


def test_other_parameters_make_no_difference() -> None:
    one = masked("sum sales_01.csv by month, save as /tmp/a.csv")
    assert one == masked("sum orders-2024.csv by month, save as out/b.csv")


def test_what_kind_of_file_it_is_can_stay() -> None:
    text = "please remove duplicates from data/jan-2024.CSV, see https://example.org/a"
    assert masked_but_kinds(text) == "remove duplicates from csv file , see website"
    assert masked_but_kinds("sum it up") == "sum it up"
