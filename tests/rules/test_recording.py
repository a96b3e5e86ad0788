"""What may be stored of a run: no credential, nothing a database refuses, nothing huge."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hermes.rules.recording import (
    LONGEST_ARGUMENT,
    call_line,
    shortened,
    stored_name,
    stored_text,
    stored_value,
)

SECRET = "AKIAIOSFODNN7EXAMPLE"


@given(st.text(), st.integers(min_value=0, max_value=50))
def test_a_short_text_stays_and_a_long_one_keeps_both_ends(text: str, limit: int) -> None:
    kept, cut = shortened(text, limit)
    assert cut == (len(text) > limit)
    half = limit // 2
    assert kept == text if not cut else kept.startswith(text[:half])
    assert not cut or f"{len(text) - 2 * half} characters left out" in kept


@given(st.text(alphabet=st.characters(codec=None)))
def test_what_is_stored_can_be_stored_and_stays_as_it_is(text: str) -> None:
    stored = stored_text(text)
    stored.encode()
    assert "\0" not in stored
    assert stored_text(stored) == stored


def test_a_credential_goes_from_names_too() -> None:
    assert stored_name(f"keys/{SECRET}/a.txt") == "keys/<aws_key>/a.txt"
    assert stored_name("src/main.py") == "src/main.py"


def test_nested_values_are_cleaned_at_every_depth() -> None:
    value, cut = stored_value({"a": [{"b": SECRET}], SECRET: 1, "n": float("inf"), "ok": True})
    assert (value, cut) == (
        {"a": [{"b": "<aws_key>"}], "<aws_key>": 1, "n": "inf", "ok": True},
        False,
    )


def test_what_is_too_deep_or_too_long_is_left_out_and_said_to_be() -> None:
    deep: object = "x"
    for _ in range(200):
        deep = [deep]
    assert stored_value(deep)[1] is True
    value, cut = stored_value({"content": "x" * (2 * LONGEST_ARGUMENT)})
    assert (len(value["content"]) < LONGEST_ARGUMENT + 100, cut) == (True, True)


def test_a_call_is_one_line() -> None:
    assert call_line("shell", {"command": "echo a\necho b"}) == "shell: echo a"
    assert call_line("read_file", {"path": "data.csv"}) == "read_file: data.csv"
    assert call_line("nothing", {}) == "nothing"
