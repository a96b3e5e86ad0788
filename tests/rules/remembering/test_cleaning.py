"""What a text looks like when it is kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hermes.records.memory import Trust
from hermes.rules.remembering.cleaning import cleaned, fingerprint
from hermes.rules.remembering.trust import is_trusted, least_trusted, may_replace
from hermes.testing import samples


def test_what_no_database_holds_goes_and_the_rest_stays() -> None:
    assert cleaned("a\0b\ud800c \n") == "abc"
    assert cleaned("שלום 👩‍👩‍👧 عالم") == "שלום 👩‍👩‍👧 عالم"
    assert cleaned("line one  \n\tline two") == "line one\n\tline two"


def test_credentials_never_get_in() -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert key not in cleaned(f"the token is {key} for CI")


def test_case_and_signs_make_no_other_text() -> None:
    assert fingerprint("The port is 80!") == fingerprint("the  PORT is: 80")
    assert fingerprint("The port is 80") != fingerprint("The port is 81")
    assert fingerprint("!!!") != fingerprint("???")


@given(st.text())
def test_cleaning_twice_changes_nothing(text: str) -> None:
    once = cleaned(text)
    assert cleaned(once) == once
    assert "\0" not in once


def test_only_a_users_words_need_no_approval() -> None:
    assert [trust for trust in Trust if is_trusted(trust)] == [Trust.USER]


def test_a_tool_never_replaces_what_a_user_said() -> None:
    said = samples.memory(trust=Trust.USER)
    printed = samples.memory(trust=Trust.TOOL_OUTPUT)
    approved = samples.memory(trust=Trust.TOOL_OUTPUT, approved_by="ana")
    for trust in (Trust.DERIVED, Trust.TOOL_OUTPUT, Trust.IMPORTED):
        assert not may_replace(trust, None, said)
        assert not may_replace(trust, None, approved)
        assert may_replace(trust, None, printed)
        assert may_replace(trust, "ana", said)
    assert may_replace(Trust.USER, None, said)


def test_together_they_are_as_trusted_as_the_least() -> None:
    assert least_trusted([Trust.USER, Trust.DERIVED]) is Trust.DERIVED
    assert least_trusted([Trust.USER, Trust.TOOL_OUTPUT]) is Trust.TOOL_OUTPUT
