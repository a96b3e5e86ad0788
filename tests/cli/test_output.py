"""Output: aligned in a pipe, drawn on a terminal, and never obeyed by either."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from unicodedata import category

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hermes.cli.mark import Mark
from hermes.cli.output import Branch, Output
from hermes.cli.text import padded, visible, width
from hermes.records.approval import Approval, Channel

ATTACK = "nice\x1b]0;owned\x07 \x1b[31mred\r\x9b2J\u202egnp.exe\u200b\U000e0041"


def piped(show: Callable[[Output], object]) -> str:
    results = io.StringIO()
    show(Output(results, io.StringIO()))
    return results.getvalue()


def on_terminal(show: Callable[[Output], object]) -> str:
    """What a terminal would receive."""
    master, slave = pty.openpty()
    received: list[bytes] = []

    def read() -> None:
        try:
            while data := os.read(master, 4096):
                received.append(data)
        except OSError:  # how Linux says that the other side is closed
            return

    reader = threading.Thread(target=read)
    reader.start()
    with os.fdopen(slave, "w", encoding="utf-8") as stream:
        show(Output(stream, stream))
    reader.join(10)
    os.close(master)
    return b"".join(received).decode()


# Text.


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("größer 日本 🎉", "größer 日本 🎉"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x9b31m\x7f", "\\x9b31m\\x7f"),
        ("\u202eabc", "\\u202eabc"),
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
        ("\U000e0041", "\\U000e0041"),
        ("x\U000e0101\u3164", "x\\U000e0101\\u3164"),
        ("\ud800", "\\ud800"),
        ("👩‍💻 ❤️", "👩‍💻 ❤️"),
        ("می‌خواهم", "می‌خواهم"),
        ("a\u00a0b", "a\u00a0b"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_lines_may_be_kept() -> None:
    assert visible("a\n\tb\x1b", keep_lines=True) == "a\n\tb\\x1b"


@given(st.text())
def test_nothing_that_acts_ever_comes_through(text: str) -> None:
    shown = visible(text)
    odd = {one for one in shown if not one.isprintable()}
    assert {one for one in odd if category(one) != "Zs"} <= set("\u200c\u200d\ufe0e\ufe0f")
    shown.encode()


@pytest.mark.parametrize(
    ("text", "columns"), [("abc", 3), ("日本", 4), ("é", 1), ("e\u0301", 1), ("🎉", 2), ("", 0)]
)
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns
    assert padded(text, 6) == text + " " * (6 - columns)
    assert padded(text, 6, right=True) == " " * (6 - columns) + text


# In a pipe.


def test_a_table_is_aligned_whatever_is_in_it() -> None:
    rows = [("日本語", 5, True, None), ("a", 1200, False, "x"), ("e\u0301e", None, True, "")]
    out = piped(lambda out: out.table(("NAME", "USES", "OK", "NOTE"), rows, empty="none"))
    assert out == (
        "NAME    USES  OK   NOTE\n"
        "日本語     5  yes  -\n"
        "a       1200  no   x\n"
        "e\u0301e         -  yes  -\n"
    )


def test_a_long_cell_is_neither_cut_nor_wrapped() -> None:
    out = piped(lambda out: out.table(("A", "B"), [("x" * 500, "y")], empty="none"))
    assert out.splitlines()[1] == "x" * 500 + "  y"


def test_an_empty_table_says_so() -> None:
    assert piped(lambda out: out.table(("A",), [], empty="no skills yet")) == "no skills yet\n"


def test_fields() -> None:
    at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    pairs = [("name", "x"), ("更新", at), ("why", "one\ntwo\x1b"), ("tags", ["a", "b"]), ("no", ())]
    out = piped(lambda out: out.fields(pairs))
    local = f"{at.astimezone():%Y-%m-%d %H:%M:%S}"
    assert out == (f"name  x\n更新  {local}\nwhy   one\n      two\\x1b\ntags  a, b\nno    -\n")


def test_tree() -> None:
    root = Branch("skill", [Branch("v1", [Branch("a\nb")]), Branch("v2", [Branch("c")])])
    assert piped(lambda out: out.tree(root)) == (
        "skill\n├── v1\n│   └── a\\nb\n└── v2\n    └── c\n"
    )


def test_json_is_canonical_and_takes_records() -> None:
    approval = Approval(
        by="Ann", os_user="ann", channel=Channel.PIPE, agent_session_open=False,
        at=datetime(2026, 1, 2, tzinfo=UTC),
    )  # fmt: skip
    out = piped(lambda out: out.json({"b": [approval], "a": "é"}))
    assert out == (
        '{"a":"é","b":[{"agent_session_open":false,"at":"2026-01-02T00:00:00.000000Z",'
        '"by":"Ann","channel":"pipe","note":"","os_user":"ann"}]}\n'
    )


@given(st.text())
@example("\x7f\x9b")
@example(ATTACK)
@example("\ud800")
def test_json_says_the_same_and_cannot_act(text: str) -> None:
    out = piped(lambda out: out.json([text]))
    assert json.loads(out) == [text]
    assert visible(out[:-1]) == out[:-1]


@pytest.mark.parametrize("where", [piped, on_terminal])
def test_untrusted_text_cannot_act_anywhere(
    where: Callable[[Callable[[Output], object]], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")

    def everything(out: Output) -> None:
        out.line(ATTACK)
        out.block(ATTACK)
        out.table((ATTACK,), [(ATTACK,), ("[bold]not markup[/bold]",)], empty=ATTACK)
        out.fields([(ATTACK, ATTACK), ("several", f"{ATTACK}\n{ATTACK}")])
        out.tree(Branch(ATTACK, [Branch(ATTACK)]))
        out.note(ATTACK)
        out.json(ATTACK)

    received = where(everything).replace("\r\n", "\n")
    for acting in "\x1b\x07\r\x9b\u202e\u200b\U000e0041":
        assert acting not in received
    assert "[bold]not markup[/bold]" in received
    assert "\\x1b]0;owned\\x07" in received


# On a terminal.


def test_a_terminal_gets_colour_unless_it_is_unwanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)

    def tree(out: Output) -> None:
        out.tree(Branch("skill", [Branch("v1")]))
        out.table(("NAME", "USES"), [("日本", 5)], empty="none")

    drawn = on_terminal(tree)
    assert "\x1b[" in drawn
    assert "日本" in drawn
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in on_terminal(tree)


def test_a_narrow_terminal_folds_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    drawn = on_terminal(lambda out: out.table(("NAME", "TEXT"), [("a", "x" * 100)], empty=""))
    assert drawn.count("x") == 100
    assert max(len(line) for line in drawn.splitlines() if "x" in line) <= 40


def test_progress_shows_on_a_terminal_and_not_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")

    def work(out: Output) -> None:
        with out.progress("Checking [x]", total=2) as done:
            done()
            done()

    assert "Checking [x]" in on_terminal(work)
    notes = io.StringIO()
    work(Output(io.StringIO(), notes))
    assert notes.getvalue() == ""


def test_a_label_follows_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")

    def work(out: Output) -> None:
        with out.progress("Copying") as done:
            done("Copying skills: 5 of 9\x1b[2J")

    drawn = on_terminal(work)
    assert "Copying skills: 5 of 9" in drawn
    assert "9\x1b[2J" not in drawn
    work(Output(io.StringIO(), io.StringIO()))


def test_one_column_gives_way_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    rows = [("tidy-csv", "日本 " * 40), ("b", "short")]

    def show(out: Output) -> None:
        out.table(("NAME", "TEXT"), rows, empty="", cut="TEXT")

    lines = on_terminal(show).splitlines()
    assert len(lines) == 3, "a row is a line"
    assert all(width(re.sub(r"\x1b\[[0-9;]*m", "", line)) <= 40 for line in lines)
    assert "…" in lines[1]
    assert "short" in lines[2]
    assert "日本 " * 39 in piped(show), "a pipe gets it whole"


MARKED = [
    (Mark.GOOD, "disk", "works", ""),
    (Mark.BAD, "home", f"is {ATTACK}", "mend it"),
]


def test_checks_have_what_to_do_below_them() -> None:
    out = piped(lambda out: out.checks(MARKED))
    assert out == f"ok    disk  works\nfail  home  is {visible(ATTACK)}\n            mend it\n"


def test_what_is_drawn_in_colour_cannot_act_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")

    def show(out: Output) -> None:
        out.heading(ATTACK)
        out.prompt(ATTACK)
        out.claim(ATTACK, True)
        out.diff(f"--- a\n+++ b\n@@ -1 +1 @@\n-{ATTACK}\n+{ATTACK}\n")
        out.checks(MARKED)

    drawn = on_terminal(show)
    assert "\x1b[31m-nice" in drawn
    assert "\x1b[32m+nice" in drawn
    plain = re.sub(r"\x1b\[[0-9;]*m", "", drawn)
    assert not {"\x1b", "\x07", "\x9b", "\u202e", "\u200b"} & set(plain)
    assert piped(show).startswith(
        f"{visible(ATTACK)}\n$ {visible(ATTACK)}\nok: {visible(ATTACK)}\n"
    )
