"""One tokeniser for queries and texts: however a thing is written, it gives the same terms."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.rules.similarity.tokens import LONGEST_TERM, tokens, words_by_token


@pytest.mark.parametrize(
    "spelled",
    ["parseCsvFile", "parse_csv_file", "parse-csv-files", "ParseCSVFile", "parse__csv-file"],
)
def test_an_identifier_gives_its_whole_and_its_parts(spelled: str) -> None:
    assert tokens(spelled) == tokens("parseCsvFile")
    assert set(tokens("parse csv file")) < set(tokens(spelled))
    assert tokens(spelled)[0] == "parsecsvfil"


@pytest.mark.parametrize(
    ("code", "term"),
    [
        ("E1234", "e1234"),
        ("error[E0502]:", "e0502"),
        ("0x80070005", "0x80070005"),
        ("0x800F081F.", "0x800f081f"),
        ("TS2345", "ts2345"),
        ("a1b2c3d4e5", "a1b2c3d4e5"),
        ("3.11", "3.11"),
        ("C++", "c++"),
        ("(C#)", "c#"),
        ("node.js,", "node.js"),
    ],
)
def test_codes_and_signed_names_stay_whole(code: str, term: str) -> None:
    assert term in tokens(code)


def test_an_error_name_is_one_term_in_either_case() -> None:
    assert tokens("ECONNREFUSED") == tokens("econnrefused")
    assert len(tokens("ECONNREFUSED")) == 1


def test_brands_are_one_word() -> None:
    assert "java" not in tokens("JavaScript")
    assert tokens("GitHub") == tokens("github")


def test_plural_acronyms_are_the_acronym() -> None:
    assert tokens("APIs, PRs, IDs") == tokens("api pr id")


def test_digits_of_a_name_are_a_term_when_they_say_something() -> None:
    assert "404" in tokens("HTTP404")
    assert "3" not in tokens("python3")
    assert "python" in tokens("python3")


def test_stop_words_go_and_single_letters_that_are_names_stay() -> None:
    assert tokens("please use this for the") == []
    assert tokens("don't") == []
    assert tokens("R or C") == ["r", "c"]


def test_width_and_accents_do_not_matter() -> None:
    assert tokens("ＡＢＣ ﬁle résumé") == tokens("abc file resume")


def test_scripts_without_spaces_give_pairs() -> None:
    assert tokens("数据库") == ["数据", "据库"]
    assert set(tokens("データベースの移行")) & set(tokens("移行する"))
    assert tokens("日") == ["日"]
    assert tokens("abc中文def") == ["abc", "中文", "def"]


def test_a_long_run_is_cut_and_not_kept() -> None:
    (term,) = tokens("x" * 5000)
    assert len(term) <= LONGEST_TERM


def test_ten_megabytes_are_linear() -> None:
    begun = time.process_time()
    tokens("aB-" * 3_500_000)
    tokens("\u202e🧪 " * 1_000_000)
    assert time.process_time() - begun < 10


def test_words_by_token_names_the_word_as_it_was_written() -> None:
    words = words_by_token("Migrating the Orders_Table.")
    assert words["migr"] == "Migrating"
    assert words["order"] == words["tabl"] == "Orders_Table"


@given(st.text(max_size=200))
def test_any_text_gives_terms_without_spaces(text: str) -> None:
    terms = tokens(text)
    assert all(term and not any(char.isspace() for char in term) for term in terms)
    assert terms == tokens(text)
    assert set(words_by_token(text)) == set(terms)
