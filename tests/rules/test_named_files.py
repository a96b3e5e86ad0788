"""Which files a request names, by the form of the words alone."""

from __future__ import annotations

import pytest

from hermes.rules.named_files import named_files


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("how many lines of data.csv? write it to out.txt", ("data.csv", "out.txt")),
        ("Put it into reports/may-2024.md.", ("reports/may-2024.md",)),
        ("compare 'a.json' with a.json, then (b.tar.gz)", ("a.json", "b.tar.gz")),
        ("see https://example.org/page.html and ask ana@example.org", ()),
        ("use version 1.2.3, pi is 3.14", ()),
        ("nothing here. Really", ()),
        ("/etc/host.conf and ~/notes.txt are not of this project", ()),
        ("", ()),
    ],
)
def test_names(text: str, names: tuple[str, ...]) -> None:
    assert named_files(text) == names


def test_a_long_text_takes_no_long_time() -> None:
    assert named_files("a." * 50_000 + "-/" * 50_000) == ()
