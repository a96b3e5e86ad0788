"""Names we write are narrow; names we compare may be anything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.rules.names import (
    MAX_NAME,
    check_category,
    check_skill_name,
    looks_like,
    skeleton,
    suggest_name,
)


@pytest.mark.parametrize("name", ["a", "7", "pdf-tools", "a1-b2-c3", "x" * MAX_NAME, "nul-check"])
def test_good_names(name: str) -> None:
    assert check_skill_name(name) == []
    assert check_category(name) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "1 to 64 characters"),
        ("x" * 65, "1 to 64 characters, this one has 65"),
        ("PDF", "lower-case"),
        ("pdf_tools", "lower-case"),
        ("pdf tools", "lower-case"),
        ("pdf/tools", "lower-case"),
        ("../up", "lower-case"),
        ("caf\u00e9", "lower-case"),
        ("p\u0430y", "lower-case"),  # a Cyrillic letter
        ("a\n", "lower-case"),
        ("-a", "starts nor ends"),
        ("a-", "starts nor ends"),
        ("a--b", "two hyphens"),
        ("con", "device"),
        ("lpt9", "device"),
    ],
)
def test_bad_names_say_what_and_what_instead(name: str, said: str) -> None:
    problems = check_skill_name(name)
    assert any(said in problem for problem in problems)
    assert f"send '{suggest_name(name)}' instead" in problems[-1]


def test_no_category_is_fine() -> None:
    assert check_category("") == []
    assert "category" in check_category("Data Science")[0]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Fill PDF forms!", "fill-pdf-forms"),
        ("  Caf\u00e9 r\u00e9sum\u00e9  ", "cafe-resume"),
        ("\uff30\uff24\uff26 tools", "pdf-tools"),
        ("a__b--c", "a-b-c"),
        ("NUL", "nul-skill"),
        ("word " * 30, "-".join(["word"] * 13)),
        ("x" * 100, "x" * 64),
        ("short " + "x" * 100, "short-" + "x" * 58),
    ],
)
def test_suggestions_stay_close_to_the_text(text: str, name: str) -> None:
    assert suggest_name(text) == name


def test_text_without_letters_gets_a_stable_name() -> None:
    assert suggest_name("\u65e5\u672c") == suggest_name("\u65e5\u672c")
    assert suggest_name("\u65e5\u672c") != suggest_name("\u4e2d\u56fd")


@given(st.text(alphabet=st.characters(), max_size=200))
def test_every_suggestion_is_allowed(text: str) -> None:
    assert check_skill_name(suggest_name(text)) == []


@given(st.from_regex(r"[a-z0-9]{1,9}(-[a-z0-9]{1,9}){0,4}", fullmatch=True))
def test_a_good_name_is_its_own_suggestion(name: str) -> None:
    if not check_skill_name(name):
        assert suggest_name(name) == name


@pytest.mark.parametrize(
    ("real", "impostor"),
    [
        ("paypal", "p\u0430yp\u0430l"),  # Cyrillic a
        ("scope", "\u0455\u0441\u043e\u0440\u0435"),  # every letter Cyrillic
        ("BANK", "\u0412\u0410NK"),  # capitals that are drawn alike
        ("token", "\u03c4\u03bf\u03ba\u0435n"),  # Greek and Cyrillic mixed
        ("pdf-tools", "\uff50\uff44\uff46-tools"),  # full width
        ("pdf-tools", "pdf\u2010tools"),  # another hyphen
        ("pdf-tools", "pdf\u2014tools"),
        ("deploy", "de\u200bploy"),  # zero width space
        ("deploy", "de\u00adploy"),  # soft hyphen
        ("deploy", "\u202edeploy"),  # right-to-left override
        ("deploy", "deploy\ufe0f"),  # variation selector
        ("deploy", "d\U000e0065eploy"),  # a tag character
        ("google", "g00gle"),
        ("sql", "sq1"),
        ("office", "o\ufb03ce"),  # a ligature
        ("math", "\U0001d426\U0001d41a\U0001d42d\U0001d421"),  # mathematical bold
    ],
)
def test_impostors_are_seen(real: str, impostor: str) -> None:
    assert real != impostor
    assert looks_like(real, impostor)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("pdf-tools", "pdf-tool"),
        ("resume", "r\u00e9sum\u00e9"),
        ("pdf-tools", "pdf_tools"),
        ("clear", "dear"),
        ("\u0431\u044b\u043b", "\u0431\u044c\u043b"),  # two Cyrillic words
    ],
)
def test_honest_names_stay_apart(a: str, b: str) -> None:
    assert not looks_like(a, b)


@given(st.text(alphabet=st.characters(), max_size=60))
def test_a_skeleton_is_its_own_skeleton(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)
