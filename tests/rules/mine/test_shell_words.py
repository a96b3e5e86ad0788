"""Shell text as words: what a redactor put there is a word, what a shell redirects is not."""

from __future__ import annotations

import pytest

from hermes.rules.mine.shell_text import targets, tokens_of


@pytest.mark.parametrize(
    ("script", "words", "written"),
    [
        (
            "curl https://<host_1>/in > a.txt",
            ["curl", "https://<host_1>/in", ">", "a.txt"],
            ["a.txt"],
        ),
        ("cat <path_12> <path_3>", ["cat", "<path_12>", "<path_3>"], []),
        ("sort <names.txt >out_1", ["sort", "<", "names.txt", ">", "out_1"], ["out_1"]),
        ("sort <data_1>out", ["sort", "<", "data_1", ">", "out"], ["out"]),
    ],
)
def test_a_placeholder_is_a_word(script: str, words: list[str], written: list[str]) -> None:
    found = tokens_of(script)
    assert found is not None
    assert [token.text for token in found] == words
    assert targets(script) == written
