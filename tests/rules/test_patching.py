"""A patch hits exactly, or says what would."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.errors import PatchMismatch, WrongCall
from hermes.rules.patching import replace

TEXT = "# Deploy\n\n1. Build the image.\n2. Push the image.\n3. Roll out.\n"


def miss(text: str, old: str, new: str = "\x01") -> PatchMismatch:
    with pytest.raises(PatchMismatch) as caught:
        replace(text, old, new)
    return caught.value


def test_one_match_is_replaced() -> None:
    patched = replace(TEXT, "Roll out.", "Roll out, then watch.")
    assert patched.text == TEXT.replace("Roll out.", "Roll out, then watch.")
    assert patched.count == 1


def test_text_can_be_removed() -> None:
    assert replace(TEXT, "2. Push the image.\n", "").text == TEXT.replace(
        "2. Push the image.\n", ""
    )


def test_several_matches_are_refused_with_their_lines() -> None:
    error = miss(TEXT, "the image")
    assert error.matches == 2
    assert "2 places, on lines 3, 4" in str(error)
    assert "replace_all" in str(error)


def test_several_matches_are_replaced_when_asked() -> None:
    patched = replace(TEXT, "the image", "it", replace_all=True)
    assert patched.count == 2
    assert patched.text == TEXT.replace("the image", "it")


def test_a_long_list_of_matches_is_cut() -> None:
    error = miss("x\n" * 500, "x")
    assert error.matches == 500
    assert "20 and 480 more" in str(error)


def test_matches_do_not_overlap() -> None:
    assert replace("aaaa", "aa", "b", replace_all=True).text == "bb"


def test_empty_old_text_is_a_wrong_call() -> None:
    with pytest.raises(WrongCall, match="empty"):
        replace(TEXT, "", "x")


def test_a_patch_without_effect_is_a_wrong_call() -> None:
    with pytest.raises(WrongCall, match="is the old text"):
        replace(TEXT, "Roll out.", "Roll out.")
    with pytest.raises(WrongCall, match="is the old text"):
        replace(TEXT, "a\r\nb", "a\nb")


def test_a_near_miss_names_the_closest_line() -> None:
    error = miss(TEXT, "2. Push the picture.")
    assert error.matches == 0
    assert "closest to '2. Push the picture.' is line 4: '2. Push the image.'" in str(error)


def test_the_longest_line_of_several_is_compared() -> None:
    error = miss(TEXT, "x\n1. Build the images first.\ny")
    assert "is line 3" in str(error)


@pytest.mark.parametrize("old", ["quantum chromodynamics", "   \n  ", "\x00"])
def test_nothing_alike_is_said_too(old: str) -> None:
    assert "nor is anything like it" in str(miss(TEXT, old))


@pytest.mark.parametrize(
    ("old", "where"),
    [
        ("1.  Build the\timage.", "line 3"),
        ("1. Build the image. 2. Push the image.", "lines 3 to 4"),
        ("# Deploy\n1. Build", "lines 1 to 3"),
        ("oll   out", "line 5"),
    ],
)
def test_a_miss_by_whitespace_is_recognised(old: str, where: str) -> None:
    error = miss(TEXT, old)
    assert error.matches == 0
    assert f"{where} would match but for whitespace" in str(error)
    assert f"copy the text of {where}" in str(error)


CRLF = TEXT.replace("\n", "\r\n")


def test_lf_text_finds_crlf_lines_and_keeps_them() -> None:
    patched = replace(CRLF, "1. Build the image.\n2. Push the image.\n", "1. Build.\n2. Push.\n")
    assert patched.text == "# Deploy\r\n\r\n1. Build.\r\n2. Push.\r\n3. Roll out.\r\n"


def test_a_new_line_in_a_crlf_file_gets_crlf() -> None:
    assert replace(CRLF, "3. Roll out.", "3. Roll.\n4. Watch.").text.endswith(
        "3. Roll.\r\n4. Watch.\r\n"
    )
    assert replace("a\r\nb", "b", "b\nc").text == "a\r\nb\r\nc"


def test_line_breaks_alone_can_be_replaced() -> None:
    assert replace("a\r\n\r\nb\r\n", "\n\n", "\n").text == "a\r\nb\r\n"
    assert replace("a\r\nb", "\nb", "\nc").text == "a\r\nc"


def test_crlf_text_in_an_lf_file() -> None:
    assert replace(TEXT, "image.\r\n2.", "image.\r\n2b.").text == TEXT.replace("2.", "2b.")


def test_mixed_line_ends_stay_as_they_are() -> None:
    text = "a\r\nb\nc\r\nb\n"
    assert replace(text, "b", "B\nB", replace_all=True).text == "a\r\nB\nB\nc\r\nB\nB\n"
    assert replace(text, "c\n", "d\ne\n").text == "a\r\nb\nd\r\ne\r\nb\n"


pieces = st.text(alphabet="ab \n", max_size=12)


@given(pieces, pieces.filter(bool), pieces, pieces)
def test_what_is_around_a_match_never_changes(before: str, old: str, new: str, after: str) -> None:
    text = before + old + after
    if old != new and text.find(old) == text.rfind(old):  # nor twice by overlapping itself
        assert replace(text, old, new).text == before + new + after
    if old != new:
        patched = replace(text, old, new, replace_all=True)
        assert patched.text == text.replace(old, new)
        assert patched.count == text.count(old)


@given(pieces, pieces.filter(bool), pieces)
def test_crlf_files_patch_as_lf_files_do(text: str, old: str, new: str) -> None:
    if old != new and old in text:
        windows = replace(text.replace("\n", "\r\n"), old, new, replace_all=True)
        plain = replace(text, old, new, replace_all=True)
        assert windows.text.replace("\r\n", "\n") == plain.text
        if "\n" in text:
            assert "\n" not in windows.text.replace("\r\n", "")


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("word " * 25_000, "word " * 20_000 + "!"),
        ("\r\n" * 50_000, "\n" * 50_001),
        ("the same line of words\n" * 5_000, "the same line of wards\n" * 4_000),
        ("a" * 100_000, "a" * 50_000 + "b"),
        ("ab " * 30_000 + "\n" + "ba " * 3_000, "ab " * 29_999 + "ac"),
        ("x\n" * 50_000, "y"),
    ],
)
def test_a_miss_in_a_long_text_is_answered_quickly(text: str, old: str) -> None:
    started = time.process_time()
    error = miss(text, old)
    assert time.process_time() - started < 1.0
    assert len(str(error)) < 1_000
