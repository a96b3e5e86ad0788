"""The words around a hit, and the marks on what was asked for."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from hermes.records.past import Snippet
from hermes.rules.past.snippets import WIDTH, snippet
from hermes.rules.similarity.tokens import tokens


def marked(found: Snippet) -> list[str]:
    return [found.text[start:end] for start, end in found.marks]


def asked(passage: str, query: str) -> Snippet:
    return snippet(passage, tokens(query))


def test_the_words_are_marked_in_any_form() -> None:
    found = asked("The tables were parsed by parse_csv.py", "parsing csv")
    assert marked(found) == ["parsed", "parse_csv.py"]


def test_the_stretch_with_the_most_different_words_is_shown() -> None:
    passage = "port " * 5 + "x " * 400 + "the port 5432 refused the connection " + "y " * 400
    found = asked(passage, "connection refused port 5432")
    assert marked(found) == ["port", "5432", "refused", "connection"]
    assert found.text.startswith("…")
    assert found.text.endswith("…")
    assert len(found.text) <= WIDTH + 2


def test_without_a_word_the_beginning_is_shown() -> None:
    found = asked("first " + "z " * 500, "nothing of it")
    assert found.text.startswith("first")
    assert found.marks == ()


def test_a_script_without_spaces_is_marked_by_its_signs() -> None:
    found = asked("他说数据库连接失败了", "连接失败")
    assert "".join(marked(found)) in ("连接失败", "连接接失失败")


def test_it_is_one_line() -> None:
    assert asked("one\n\n  two\tthree", "two").text == "one two three"


@given(st.text(max_size=1_500), st.text(max_size=60))
def test_marks_lie_inside_and_in_order(passage: str, query: str) -> None:
    found = asked(passage, query)
    assert len(found.text) <= WIDTH + 2
    at = 0
    for start, end in found.marks:
        assert at <= start < end <= len(found.text)
        at = end


@given(
    st.text(alphabet="abcdeingsy_-.A1 ", max_size=300), st.text(alphabet="abingsy_A1 ", max_size=12)
)
def test_every_word_that_has_an_asked_term_is_marked(passage: str, query: str) -> None:
    found = snippet(passage, tokens(query), width=1_000)
    expected = [word for word in _words(found.text) if set(tokens(word)) & set(tokens(query))]
    assert marked(found) == expected


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_][\w.+#-]*", text)
